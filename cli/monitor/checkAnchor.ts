import { auditOperations } from '@svc/core/contract/audit.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import type { AuditChain } from '../audit/openAuditChain.ts'
import type { Head } from './checkCheckpoint.ts'
import { createFinding, type Finding } from './findings.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

/**
 * Checks that the chain has the head of a checkpoint. The service says in which batch and block to look first; only the
 * chain decides.
 *
 * @throws Unchecked if the chain does not respond, or is behind the checkpoint, as a node that is still synchronising is.
 */
export async function checkAnchor(
  service: MonitoredService,
  openChain: () => Promise<AuditChain>,
  head: Head,
): Promise<Finding | null> {
  const chain = await openChain().catch((error: Error) => {
    throw new Unchecked(error.message, { cause: error })
  })
  const refuse = (text: string) => createFinding('anchor', text, [head.note])
  if (head.size > chain.head.size) {
    throw new Unchecked(
      `the checkpoint has ${head.size} records, but the log on chain has only ${chain.head.size}`,
    )
  }
  const root = head.size === chain.head.size ? chain.head.root : await findRoot(service, chain, head.size)
  if (root === null)
    return refuse(`the log on chain never had ${head.size} records, contrary to the checkpoint`)
  if (root === head.root) return null
  return refuse(`the root on chain at ${head.size} records is ${root}, but the checkpoint says ${head.root}`)
}

async function findRoot(service: MonitoredService, chain: AuditChain, size: number): Promise<string | null> {
  const read = await service.read('/api/audit/batches?limit=100')
  const page = auditOperations['GET /api/audit/batches'].answer.safeParse(
    read.kind === 'found' ? parseJsonObject(read.text) : null,
  )
  const hint = page.data?.items.find(({ newSize }) => newSize === size)
  const hinted =
    hint === undefined ? null : await callChain(() => chain.batch(hint.number, hint.blockNumber ?? 0))
  if (hinted?.newSize === size) return hinted.root
  return (await callChain(() => chain.batchOfSize(size)))?.root ?? null
}

async function callChain<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw new Unchecked(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
