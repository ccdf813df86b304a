import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callService } from './callService.ts'
import type { DemoContext, Shop } from './demoContext.ts'

const VERIFY_AUDIT = join(import.meta.dirname, '..', 'verifyAudit.ts')

/** Proves the record of the first request against the chain, with the auditor's tool. */
export async function proveOnChain(context: DemoContext, shop: Shop, auditRecordId: string): Promise<void> {
  const { baseUrl, rpcUrl, narrator } = context
  narrator.chapter('8. The proof')
  const feed = await callService(baseUrl, 'GET', '/api/activity?limit=100', { bearer: shop.apiKey })
  narrator.check(
    'the endpoint’s feed contains the event of the granted request',
    feed.items.some((event: { auditRecordId: string }) => event.auditRecordId === auditRecordId),
  )
  const proof = await narrator.waitFor(
    'the batch is sealed, anchored and confirmed',
    async () => {
      const answer = await fetch(`${baseUrl}/api/audit/records/${auditRecordId}/proof`)
      return answer.status === 200 ? await answer.json() : null
    },
    60,
  )
  narrator.check('the proof is available', proof !== null)
  if (!proof) return
  narrator.fact('record', auditRecordId)
  narrator.fact('leaf', proof.leafHash)
  narrator.fact('root', `${proof.root} (batch ${proof.batch}, ${proof.treeSize} records)`)
  const chain = await callService(baseUrl, 'GET', '/api/chain')
  // A service may have several logs; that of the record must be one of them.
  const log = chain.logIds.includes(proof.logId) ? proof.logId : chain.logId
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
  const file = join(folder, 'proof.json')
  writeFileSync(file, JSON.stringify(proof))
  narrator.note('npm run verify-audit, which queries only the chain, not the service:')
  const status = await run([
    ...['--rpc', rpcUrl, '--log', log],
    ...['--contract', chain.contracts.auditLog, '--record', file],
  ])
  rmSync(folder, { recursive: true })
  narrator.check('the record is proven against only the chain', status === 0)
}

function run(args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [VERIFY_AUDIT, ...args], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', resolve))
}
