import type { Hex } from '../../chain/chainTypes.ts'
import type { TokenChanges } from '../../chain/identityTokens.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { RememberedDeployment } from '../../store/relayer/deploymentStore.ts'

/** Maximum blocks per round. */
const BLOCKS_MAX = 2_000
const PAGE_MAX = 200

export type FollowTokensDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byTokens'>
  tokens: Pick<TokenStore, 'bySvcIds' | 'heldBy' | 'followedTo' | 'setFollowedTo'>
  chain: {
    /** Null while this process is not the relayer, or the chain is unknown. */
    deployment(): Promise<RememberedDeployment | null>
    /** The newest final block. */
    finalBlock(): Promise<number>
    changesIn(registry: Hex, blocks: { first: number; last: number }): Promise<TokenChanges>
  }
  /** Rereads a token and orders what follows from it. */
  onTokenChanged(svcId: string): Promise<void>
}

/**
 * Follows the identity registry and rereads every token that changed, whoever changed it.
 *
 * Only final blocks are read, each once; a process killed before storing its position reads them again. Events only
 * identify the tokens to reread; their contents are not used.
 *
 * @returns The number of blocks followed. @throws ApiError CHAIN_UNAVAILABLE.
 */
export async function followTokens(deps: FollowTokensDeps): Promise<number> {
  const deployment = await deps.chain.deployment()
  if (deployment === null) return 0
  const { chainId, genesisHash, identityRegistry } = deployment
  const cursor = `${genesisHash}:${identityRegistry}`
  const followed = await deps.tokens.followedTo(cursor)
  const first = followed === null ? deployment.deployedBlock : followed + 1
  const last = Math.min(await deps.chain.finalBlock(), first + BLOCKS_MAX - 1)
  if (last < first) return 0
  const changes = await deps.chain.changesIn(identityRegistry, { first, last })
  const ids = [...changes.tokens.keys()].filter((id) => id <= BigInt(Number.MAX_SAFE_INTEGER)).map(Number)
  for (let at = 0; at < ids.length; at += PAGE_MAX) {
    await refreshChanged(deps, changes, {
      registry: `eip155:${chainId}:${identityRegistry}`,
      ids: ids.slice(at, at + PAGE_MAX),
    })
  }
  for (const approver of changes.approvers) await refreshHeld(deps, approver)
  await deps.db.transaction((trx) => deps.tokens.setFollowedTo(trx, cursor, last))
  return last - first + 1
}

/** A token that was read after its event, as after our own mint, need not be reread. */
async function refreshChanged(
  deps: FollowTokensDeps,
  changes: TokenChanges,
  { registry, ids }: { registry: string; ids: number[] },
): Promise<void> {
  const agents = await deps.agents.byTokens(registry, ids)
  const known = await deps.tokens.bySvcIds(agents.map(({ svcId }) => svcId))
  for (const { svcId, chainAgentId } of agents) {
    const changedAt = changes.tokens.get(BigInt(chainAgentId)) ?? 0
    if ((known.get(svcId)?.seenBlock ?? -1) < changedAt) await deps.onTokenChanged(svcId)
  }
}

async function refreshHeld(deps: FollowTokensDeps, holder: Hex): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await deps.tokens.heldBy(holder, { after, limit: PAGE_MAX })
    for (const svcId of page) await deps.onTokenChanged(svcId)
    after = page.at(-1)
  }
}
