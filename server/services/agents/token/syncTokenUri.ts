import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { IpfsFileStore } from '../../../store/agents/ipfsFileStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { TokenStore } from '../../../store/agents/tokenStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { intentKey } from '../../relayer/intents.ts'
import { registrationOf } from '../registrationFile/registrationFileOf.ts'
import type { ChainTokens } from './chainTokens.ts'
import type { TokenUriOf } from './tokenUriOf.ts'

export type SyncTokenUriDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId'>
  tokens: Pick<TokenStore, 'bySvcId'>
  outbox: Pick<OutboxStore, 'addAgain'>
  owners: Pick<OwnerFactsStore, 'payerBehind'>
  chainTokens: Pick<ChainTokens, 'mayAct'>
  tokenUriOf: TokenUriOf
  /** The file of an agent that is in IPFS; null if IPFS is not configured. */
  inIpfs: Pick<IpfsFileStore, 'hashOf'> | null
  settings: Pick<RegistrySettings, 'clock'>
}

/**
 * Orders the token of an agent to be pointed at its registration file if its URI differs and the relayer may change it,
 * because it holds the token or is approved for it (ERC-721). Any other token stays as it is until its owner signs. With
 * IPFS, a file that is not published yet is waited for.
 *
 * @throws ApiError CHAIN_UNAVAILABLE. Source: ERC-8004 `setAgentURI`; docs/decisions/0012.
 */
export async function syncTokenUri(deps: SyncTokenUriDeps, svcId: string): Promise<void> {
  const [agent, token] = [await deps.agents.bySvcId(svcId), await deps.tokens.bySvcId(svcId)]
  const name = agent && registrationOf(agent)
  if (!name || !token) return
  if (deps.inIpfs && (await deps.inIpfs.hashOf(svcId)) !== agent.registrationFileHash) return
  const uri = deps.tokenUriOf(agent)
  if (token.uri === uri) return
  if (token.custody === 'owner' && !(await deps.chainTokens.mayAct(name))) return
  const payload = { svcId, agentId: String(name.agentId), uri }
  await deps.db.transaction(async (trx) =>
    deps.outbox.addAgain(trx, {
      idempotencyKey: intentKey.setUri(svcId),
      kind: 'identity.setUri',
      payload,
      ...(await deps.owners.payerBehind(trx, agent.ownerId)),
      now: deps.settings.clock(),
    }),
  )
}
