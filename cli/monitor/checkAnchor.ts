import { auditOperations } from '@svc/core/contract/audit.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import type { AnchoredBatch } from '../audit/anchoredBatch.ts'
import type { AuditChain } from '../audit/openAuditChain.ts'
import { createFinding, type Finding } from './findings.ts'
import type { Head } from './monitorState.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

type Input = {
  service: MonitoredService
  chain: AuditChain
  /** The head that the service shows; null if it says that nothing is anchored. */
  shown: Head | null
  /** A head that the log signed before, and that the chain has not confirmed yet. */
  unanchored: Head | null
  /** How long the service may show less than the chain has. */
  maxAgeMs: number
  /** Epoch milliseconds. */
  now: number
}

/** Where the service says that its newest batches are. */
type Hints = { number: number; newSize: number; blockNumber: number | null }[]

/**
 * Checks that the chain has the heads that a log signed, and that the service does not show an old one. The service says in
 * which batch and block to look first; only the chain decides.
 *
 * A checkpoint is served once its batch is final, so it is normally behind the chain by that time. What counts is how long
 * the chain has had the first batch that the checkpoint lacks.
 *
 * @throws Unchecked if the chain does not respond, or is behind a head, as a node that is still synchronising is.
 */
export async function checkAnchor(input: Input): Promise<Finding[]> {
  const { service, chain, shown, unanchored } = input
  const hints = await readHints(service)
  const findings: Finding[] = []
  const other = unanchored === null || isSame(unanchored, shown) ? null : unanchored
  for (const head of [shown, other]) {
    if (head !== null) findings.push(...(await checkHead(chain, hints, head)))
  }
  if (findings.length > 0) return findings
  return await checkAge(input, hints)
}

async function checkHead(chain: AuditChain, hints: Hints, head: Head): Promise<Finding[]> {
  if (head.size > chain.head.size) {
    const why = `the checkpoint has ${head.size} records, but the log on chain has only ${chain.head.size}`
    throw new Unchecked(why, { evidence: [head.note] })
  }
  const refuse = (text: string) => [createFinding('anchor', text, [head.note])]
  const isNewest = head.size === chain.head.size
  const root = isNewest ? chain.head.root : (await findBatch(chain, hints, head.size))?.root
  if (root === undefined)
    return refuse(`the log on chain never had ${head.size} records, contrary to the checkpoint`)
  if (root === head.root) return []
  return refuse(`the root on chain at ${head.size} records is ${root}, but the checkpoint says ${head.root}`)
}

/** Finds whether the chain has had more than the service shows for too long. */
async function checkAge({ chain, shown, maxAgeMs, now }: Input, hints: Hints): Promise<Finding[]> {
  const size = shown?.size ?? 0
  if (size === chain.head.size) return []
  const last = size === 0 ? null : await findBatch(chain, hints, size)
  const number = (last?.number ?? 0) + 1
  const since = await findTime(chain, hints, number)
  if (since === null) throw new Unchecked(`the node has no event of batch ${number}, which is anchored`)
  if (now - since.getTime() <= maxAgeMs) return []
  const what = shown === null ? 'the service shows no checkpoint' : `the checkpoint has only ${size} records`
  const text = `${what}, but the chain has had more since ${since.toISOString()}, and has ${chain.head.size} now`
  return [createFinding('stale', text, shown === null ? [] : [shown.note])]
}

/** When a batch was anchored; null if the chain does not have it. */
async function findTime(chain: AuditChain, hints: Hints, number: number): Promise<Date | null> {
  const { head } = chain
  if (number === head.batch && head.anchoredAt !== null) return head.anchoredAt
  const hint = hints.find((one) => one.number === number)
  return await callChain(async () => {
    const batch = await chain.batch(number, hint?.blockNumber ?? 0)
    return batch === null ? null : await chain.blockTime(batch.blockNumber)
  })
}

async function findBatch(chain: AuditChain, hints: Hints, size: number): Promise<AnchoredBatch | null> {
  const hint = hints.find(({ newSize }) => newSize === size)
  const hinted =
    hint === undefined ? null : await callChain(() => chain.batch(hint.number, hint.blockNumber ?? 0))
  return hinted?.newSize === size ? hinted : await callChain(() => chain.batchOfSize(size))
}

async function readHints(service: MonitoredService): Promise<Hints> {
  const read = await service.read('/api/audit/batches?limit=100')
  const page = auditOperations['GET /api/audit/batches'].answer.safeParse(
    read.kind === 'found' ? parseJsonObject(read.text) : null,
  )
  return page.data?.items ?? []
}

function isSame(one: Head, other: Head | null): boolean {
  return other !== null && one.size === other.size && one.root === other.root
}

async function callChain<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw new Unchecked(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
