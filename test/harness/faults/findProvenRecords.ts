import { checkProofDocument, type ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { openMonitoredService } from '../../../cli/monitor/openMonitoredService.ts'
import type { Hex } from '../../../server/chain/chainTypes.ts'
import { openLogReader } from '../chain/openLogReader.ts'
import { waitUntil } from '../runner/waitUntil.ts'
import { api } from '../service/api.ts'
import type { Processes } from '../service/startProcesses.ts'

const FIRST_PAGE = '/api/audit/export'
/** Longer than any page. */
const PAGE_BYTES_MAX = 256 * 1_048_576

type Proving = {
  running: Pick<Processes, 'chainUrl' | 'rows'>
  /** Any process that responds. */
  baseUrl: () => string
  apiKey: string
  /** Records something, so that there is one more batch. */
  record: () => Promise<unknown>
}

/**
 * Waits until every record is anchored, and reads the export of an account.
 *
 * @returns The records whose proofs are valid and lead to a root on the chain, and the batches there.
 */
export async function findProvenRecords({ running, baseUrl, apiKey, record }: Proving) {
  const { body: at } = await api(baseUrl(), 'GET', '/api/chain')
  const log = openLogReader(running.chainUrl, { contract: at.contracts.auditLog, logId: at.logId })
  await waitUntil(async () => {
    const [row] = await running.rows<{ count: number }>('SELECT count(*)::int AS count FROM audit_records')
    return row?.count === (await log.size()) ? true : null
  })
  const batches = await log.batches()
  const roots = new Map<number, Hex>()
  const isAnchored = async ({ treeSize, root }: ProofDocument) => {
    // The service may have recorded more, such as an approval that expired, and anchored it since.
    if (!roots.has(treeSize))
      for (const batch of await log.batches()) roots.set(batch.newSize, batch.root as Hex)
    const anchored = roots.get(treeSize)
    return anchored !== undefined && BigInt(anchored) === BigInt(root.replace(/^(0x)?/, '0x'))
  }
  const [last] = await running.rows<{ id: string }>(
    'SELECT record_id AS id FROM audit_records ORDER BY seq DESC LIMIT 1',
  )
  await waitUntil(async () => {
    const { status } = await api(baseUrl(), 'GET', `/api/audit/records/${last?.id}/proof`)
    return status === 200 ? true : null
  })
  const proven = new Set<string>()
  const exporting = openMonitoredService(baseUrl(), async () => apiKey, new AbortController().signal)
  for (let path: string | null = FIRST_PAGE; path !== null; ) {
    const asked: string = path
    const page = await waitUntil(async () => {
      const read = await exporting.read(asked, { isOwn: true, bytesMax: PAGE_BYTES_MAX }).catch(() => null)
      return read?.kind === 'found' ? read : null
    })
    for (const line of page.text.split('\n').slice(0, -1)) {
      const { recordId, ...proof } = JSON.parse(line) as ProofDocument & { recordId: string }
      const checked = checkProofDocument(proof)
      if (checked.ok && checked.entry.recordId === recordId && (await isAnchored(proof))) proven.add(recordId)
    }
    // One more batch, under which the later pages are proven.
    if (asked === FIRST_PAGE) await record()
    path = page.next
  }
  return { proven, batches }
}
