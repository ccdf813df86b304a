import type { ForeignChain } from '../../chain/foreignChain.ts'
import type { Adoption, AdoptionStore, ForeignFeedback } from '../../store/agents/adoptionStore.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { Db } from '../../store/database/database.ts'
import { compareToken } from './compareToken.ts'
import type { FollowForeignDeps } from './followForeign.ts'

export type RefreshAdoptedDeps = Pick<
  FollowForeignDeps,
  'endAdoption' | 'changeWallet' | 'isRelayer' | 'clock'
> & {
  db: Pick<Db, 'transaction'>
  adoptions: Pick<AdoptionStore, 'withOldFeedback' | 'setFeedbackReadAt'>
  agents: Pick<AgentStore, 'bySvcId' | 'update'>
  onAgentChanged(svcId: string): void
}

const REFRESH_MS = 10 * 60_000
const REFRESH_PAGE = 20

/**
 * Reads each adopted agent again every ten minutes: the feedback, because its score depends on it, and the token, because a
 * reorganisation may have put an event into a block that was followed before.
 *
 * A registry that fails is skipped for the rest of the round; the others are still read.
 *
 * @returns The number of agents read. @throws The error of the registry that failed, in the end; ApiError CHAIN_UNAVAILABLE.
 */
export async function refreshAdopted(
  deps: RefreshAdoptedDeps,
  chains: ReadonlyMap<string, Reader>,
): Promise<number> {
  if (!(await deps.isRelayer())) return 0
  const now = deps.clock()
  const due = await deps.adoptions.withOldFeedback(now - REFRESH_MS, REFRESH_PAGE)
  const failed = new Map<string, unknown>()
  for (const adoption of due) {
    const { agentId, agentRegistry } = adoption
    // One that is not reachable now must not block the others of later rounds, nor those of other registries of this one.
    await deps.db.transaction((trx) => deps.adoptions.setFeedbackReadAt(trx, agentId, now), [])
    if (failed.has(agentRegistry)) continue
    try {
      await refreshOne(deps, adoption, chains.get(agentRegistry))
    } catch (error) {
      failed.set(agentRegistry, error)
    }
  }
  const [first, ...others] = failed.values()
  if (others.length > 0) throw new AggregateError([first, ...others], 'several registries could not be read')
  if (first !== undefined) throw first
  return due.length
}

type Reader = Pick<ForeignChain, 'readFeedback' | 'readToken'>

async function refreshOne(
  deps: RefreshAdoptedDeps,
  adoption: Adoption,
  chain: Reader | undefined,
): Promise<void> {
  const { agentId, tokenId } = adoption
  // First, because a failure to read the feedback must not hide a change of the wallet.
  if (chain !== undefined) await settleToken(deps, adoption, await chain.readToken(tokenId))
  await storeFeedback(deps, agentId, (await chain?.readFeedback(tokenId)) ?? null)
}

async function storeFeedback(
  deps: RefreshAdoptedDeps,
  agentId: string,
  foreignFeedback: ForeignFeedback | null,
): Promise<void> {
  const before = (await deps.agents.bySvcId(agentId))?.foreignFeedback ?? null
  if (isSame(before, foreignFeedback)) return
  await deps.db.transaction((trx) => deps.agents.update(trx, agentId, { foreignFeedback }))
  deps.onAgentChanged(agentId)
}

async function settleToken(
  deps: RefreshAdoptedDeps,
  adoption: Adoption,
  state: Awaited<ReturnType<ForeignChain['readToken']>>,
): Promise<void> {
  // The adoption of a token that was burnt ends with its transfer: a registry may refuse to answer for other reasons.
  if (state === null) return
  const { owner: newOwner, wallet, block } = state
  const read = { svcId: adoption.agentId, block, now: deps.clock() }
  const change = compareToken(adoption, state)
  if (change === 'transferred') await deps.endAdoption({ ...read, newOwner })
  if (change === 'wallet') await deps.changeWallet({ ...read, wallet })
}

function isSame(a: ForeignFeedback | null, b: ForeignFeedback | null): boolean {
  return a?.count === b?.count && a?.mean === b?.mean
}
