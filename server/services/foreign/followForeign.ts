import type { ForeignChain } from '../../chain/foreignChain.ts'
import type { AdoptionStore, ForeignFeedback } from '../../store/agents/adoptionStore.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { TokenTransfer } from './endAdoption.ts'

/** Maximum blocks per round. */
const BLOCKS_MAX = 2_000

export type FollowForeignDeps = {
  db: Pick<Db, 'transaction'>
  adoptions: AdoptionStore
  agents: Pick<AgentStore, 'bySvcId' | 'update'>
  cursors: Pick<TokenStore, 'followedTo' | 'setFollowedTo'>
  endAdoption(transfer: TokenTransfer): Promise<void>
  onAgentChanged(svcId: string): void
  /** Whether this process is the one that follows. */
  isRelayer(): Promise<boolean>
  clock: () => number
}

type FollowedRegistry = {
  agentRegistry: string
  chain: Pick<ForeignChain, 'readHead' | 'readTransfers'>
}

/**
 * Follows a registry on another chain, and ends the adoption of every agent whose token was transferred, even if it came
 * back to its owner.
 *
 * Blocks are not waited for to become final: whoever may have lost a token must not act for it. If a reorganisation undoes
 * the transfer, its owner adopts the agent again. Without adoptions nothing is asked.
 *
 * @returns The number of blocks followed if others remain, otherwise 0: new ones wait for the next look.
 * @throws ApiError CHAIN_UNAVAILABLE.
 */
export async function followForeign(
  deps: FollowForeignDeps,
  { agentRegistry, chain }: FollowedRegistry,
): Promise<number> {
  const since = await deps.adoptions.firstBlock(agentRegistry)
  if (since === null || !(await deps.isRelayer())) return 0
  const cursor = `foreign:${agentRegistry}`
  const followed = Math.max((await deps.cursors.followedTo(cursor)) ?? 0, since)
  const head = await chain.readHead()
  // A development chain that was restarted begins again.
  const first = head < followed ? head + 1 : followed + 1
  const last = Math.min(head, first + BLOCKS_MAX - 1)
  if (last < first && head === followed) return 0
  const transfers = last < first ? new Map() : await chain.readTransfers({ first, last })
  for (const { agentId, tokenId, adoptedBlock } of await deps.adoptions.amongTokens(agentRegistry, [
    ...transfers.keys(),
  ])) {
    const transfer = transfers.get(tokenId)
    if (transfer === undefined || transfer.block <= adoptedBlock) continue
    await deps.endAdoption({ svcId: agentId, ...transfer, now: deps.clock() })
  }
  const followedTo = last < first ? head : last
  await deps.db.transaction((trx) => deps.cursors.setFollowedTo(trx, cursor, followedTo), [])
  return last < head ? Math.max(last - first + 1, 0) : 0
}

const FEEDBACK_MS = 10 * 60_000
const FEEDBACK_PAGE = 20

/**
 * Reads the feedback on adopted agents again, each every ten minutes, because their scores depend on it.
 *
 * @returns The number of agents read. @throws ApiError CHAIN_UNAVAILABLE.
 */
export async function refreshFeedback(
  deps: FollowForeignDeps,
  chains: ReadonlyMap<string, Pick<ForeignChain, 'readFeedback'>>,
): Promise<number> {
  if (!(await deps.isRelayer())) return 0
  const now = deps.clock()
  const due = await deps.adoptions.withOldFeedback(now - FEEDBACK_MS, FEEDBACK_PAGE)
  for (const { agentId, agentRegistry, tokenId } of due) {
    // One that is not reachable now must not block the others.
    await deps.db.transaction((trx) => deps.adoptions.setFeedbackReadAt(trx, agentId, now), [])
    const chain = chains.get(agentRegistry)
    const foreignFeedback = chain === undefined ? null : await chain.readFeedback(tokenId)
    const before = (await deps.agents.bySvcId(agentId))?.foreignFeedback ?? null
    if (isSame(before, foreignFeedback)) continue
    await deps.db.transaction((trx) => deps.agents.update(trx, agentId, { foreignFeedback }))
    deps.onAgentChanged(agentId)
  }
  return due.length
}

function isSame(a: ForeignFeedback | null, b: ForeignFeedback | null): boolean {
  return a?.count === b?.count && a?.mean === b?.mean
}
