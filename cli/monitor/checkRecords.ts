import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { checkProofDocument } from '@svc/core/audit/proofDocument.ts'
import { findClaimFault } from '../audit/findClaimFault.ts'
import type { LogPoint } from '../audit/findExtensionFault.ts'
import { parseDocument, type ReadDocument } from '../audit/readDocuments.ts'
import type { Head } from './checkCheckpoint.ts'
import { checkExtension } from './checkExtension.ts'
import { createFinding, type Finding } from './findings.ts'
import type { MonitorState } from './monitorState.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

/** What is remembered of the records of a party. */
type SeenRecords = Pick<MonitorState, 'records' | 'nextRecord' | 'recordsReadAt' | 'unproven'>

type Input = {
  service: MonitoredService
  /** The accepted checkpoint, under which every record must be. */
  head: Head
  seen: SeenRecords
  /** Only records of these agents are looked at; null for all of the party. */
  agents: ReadonlySet<string> | null
  /** Identifiers of records that the party received. */
  received: readonly string[]
  /** Epoch milliseconds. */
  now: number
  /** How long a received record may lack a proof. */
  patienceMs: number
}

/** Finds why a root does not belong to the checkpoint’s log. */
type CheckRoot = (root: LogPoint) => Promise<string | null>
type Looking = Input & { checkRoot: CheckRoot }

type Checked = { findings: Finding[]; seen: SeenRecords }
type CheckedRecord = { entry: AuditEntryFields; index: number } | { fault: string }
type ReadRecords = { findings: Finding[]; records: Record<string, number>; next: number }

/** The export is read again from its beginning so often, to find records that are no longer in it. */
const REREAD_MS = 86_400_000

/**
 * Checks the records of a party: every line of its export is proven under the checkpoint, no record that was in it is
 * missing now, and every record that the party received is in it.
 *
 * Usually only what is new is read; once a day, and whenever a record was found missing, the whole export.
 *
 * Source: docs/auditing.md.
 */
export async function checkRecords(given: Input): Promise<Checked> {
  const input = { ...given, checkRoot: createCheckRoot(given) }
  const { seen, now, head } = input
  const isWhole = now - seen.recordsReadAt >= REREAD_MS
  const read = await readExport(input, isWhole ? 0 : seen.nextRecord)
  const missing = isWhole
    ? Object.entries(seen.records).filter(
        ([id, number]) => read.records[id] === undefined && number < read.next,
      )
    : []
  const records = { ...seen.records, ...read.records }
  const absent = missing.map(([id, number]) =>
    createFinding(`missing:${id}`, `record ${id}, number ${number}, was in your export and is missing now`, [
      head.note,
    ]),
  )
  const received = await checkReceived(input, records, read.next)
  return {
    findings: [...read.findings, ...absent, ...received.findings],
    seen: {
      records,
      nextRecord: read.next,
      recordsReadAt: isWhole && missing.length === 0 ? now : seen.recordsReadAt,
      unproven: received.unproven,
    },
  }
}

/** All records of a page are under the same root, which is checked once. */
function createCheckRoot({ service, head }: Input): CheckRoot {
  const checked = new Map<string, Promise<string | null>>()
  return (root) => {
    const id = `${root.size} ${root.root}`
    const [from, to] = root.size < head.size ? [root, head] : [head, root]
    const known = checked.get(id) ?? checkExtension(service, from, to)
    checked.set(id, known)
    return known
  }
}

/** Reads the export from a number to the checkpoint. It continues at the first faulty record next time. */
async function readExport(input: Looking, from: number): Promise<ReadRecords> {
  const { service, head, agents } = input
  const findings: Finding[] = []
  const records: Record<string, number> = {}
  let faultyAt: number | null = null
  let last = from - 1
  let path: string | null = `/api/audit/export?from=${from}&to=${head.size - 1}`
  while (path !== null && from < head.size) {
    const page = await service.read(path, { isOwn: true })
    if (page.kind !== 'found') throw new Unchecked(`the service has no export at ${path}`)
    for (const line of page.text.split('\n').filter((text) => text !== '')) {
      const read = parseDocument('a line of your export', line)
      const number: number = read.document?.index ?? last + 1
      const checked = await checkRecord(input, read)
      if ('entry' in checked) {
        if (isWatched(agents, checked.entry)) records[checked.entry.recordId] = number
      } else {
        faultyAt ??= number
        findings.push(createFinding(`record:${number}`, `record number ${number}: ${checked.fault}`, [line]))
      }
      last = number
    }
    path = page.next
  }
  return { findings, records, next: faultyAt ?? Math.max(from, head.size) }
}

/** Checks one record: its own proof, what is stated next to it, and that its root belongs to the checkpoint’s log. */
async function checkRecord({ checkRoot }: Looking, read: ReadDocument): Promise<CheckedRecord> {
  const { document, claims } = read
  if (document === null) return { fault: read.fault ?? 'it is malformed' }
  const proven = checkProofDocument(document)
  if (!proven.ok) return { fault: proven.reason }
  const { index } = document
  const fault = findClaimFault(claims, { entry: proven.entry, index })
  if (fault !== null) return { fault }
  const foreign = await checkRoot({ size: document.treeSize, root: document.root })
  return foreign === null
    ? { entry: proven.entry, index }
    : { fault: `it is proven in another log than that of the checkpoint: ${foreign}` }
}

async function checkReceived(
  input: Looking,
  records: Record<string, number>,
  next: number,
): Promise<{ findings: Finding[]; unproven: Record<string, number> }> {
  const findings: Finding[] = []
  const unproven: Record<string, number> = {}
  for (const id of input.received.filter((received) => records[received] === undefined)) {
    const read = await input.service.read(`/api/audit/records/${encodeURIComponent(id)}/proof`)
    if (read.kind === 'found') {
      const checked = await checkRecord(input, parseDocument(id, read.text))
      if ('fault' in checked) findings.push(createFinding(`received:${id}`, `record ${id}: ${checked.fault}`))
      else if (checked.index < next && isWatched(input.agents, checked.entry)) {
        const text = `record ${id}, number ${checked.index}, which you received, is not in your export`
        findings.push(createFinding(`received:${id}`, text, [read.text]))
      }
      continue
    }
    const since = input.seen.unproven[id] ?? input.now
    unproven[id] = since
    if (input.now - since < input.patienceMs && read.kind === 'not_anchored') continue
    const text =
      read.kind === 'unknown'
        ? `the service does not know record ${id}, which you received`
        : `record ${id}, which you received, has no proof for ${Math.round((input.now - since) / 60_000)} minutes`
    findings.push(createFinding(`received:${id}`, text))
  }
  return { findings, unproven }
}

function isWatched(agents: Input['agents'], { agentId }: Pick<AuditEntryFields, 'agentId'>): boolean {
  return agents === null || (agentId !== null && agents.has(agentId))
}
