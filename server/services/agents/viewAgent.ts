import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { LineageStore } from '../../store/agents/lineageStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { INTENT_PAYLOADS, intentKey } from '../relayer/intents.ts'
import type { AssessedAgent } from './assessAgent.ts'
import { toOwnedAgentView } from './ownedAgentView.ts'
import { toPublicAgentView } from './publicAgentView.ts'
import { readBlockchainDelay } from './readBlockchainDelay.ts'
import type { ChainTokens } from './token/chainTokens.ts'
import { listTokenActions } from './token/listTokenActions.ts'
import type { TokenUriOf } from './token/tokenUriOf.ts'

export type ViewAgentDeps = {
  tokens: Pick<TokenStore, 'bySvcId'>
  outbox: Pick<OutboxStore, 'byKey' | 'isAnyDeferred'>
  lineage: Pick<LineageStore, 'ancestorsOf' | 'countLiving'>
  chainTokens: Pick<ChainTokens, 'relayer' | 'encodeSetUri' | 'encodeApprove'>
  assessAgent(agent: AgentRow, now: number): Promise<AssessedAgent>
  tokenUriOf: TokenUriOf
  publicUrl: string
}

/** The state of the hand-over of a token; null if none was ordered. */
export type HandOver = { address: string; status: 'pending' | 'done' | 'failed' }

/** An agent as the caller may see it. @param viewer `owner` sees all members, `anyone` the public view. */
export async function viewAgent(
  deps: ViewAgentDeps,
  agent: AgentRow,
  { viewer, now }: { viewer: 'owner' | 'anyone'; now: number },
) {
  const token = await deps.tokens.bySvcId(agent.svcId)
  const facts = { ...(await deps.assessAgent(agent, now)), token, tokenUri: deps.tokenUriOf(agent) }
  if (viewer === 'anyone') return toPublicAgentView(agent, facts, deps.publicUrl)
  const toSign = listTokenActions(deps.chainTokens, agent, token, facts.tokenUri)
  const handOver = await handOverOf(deps, agent)
  const delay = await readBlockchainDelay(deps, agent)
  return toOwnedAgentView(
    agent,
    { ...facts, toSign, handOver, delay, ...(await familyOf(deps, agent)) },
    deps.publicUrl,
  )
}

async function familyOf({ lineage }: ViewAgentDeps, { svcId, parentAgentId }: AgentRow) {
  const ancestors = parentAgentId === null ? [] : await lineage.ancestorsOf(svcId)
  const parents = ancestors.map(({ svcId: id, name, status }) => ({ svcId: id, name, agentStatus: status }))
  return { parents, subAgentCount: await lineage.countLiving(svcId) }
}

async function handOverOf({ outbox }: ViewAgentDeps, { svcId }: AgentRow): Promise<HandOver | null> {
  const intent = await outbox.byKey(intentKey.handOver(svcId))
  if (intent === null) return null
  const address = INTENT_PAYLOADS['identity.handOver'].parse(intent.payload).to
  if (intent.status === 'failed') return { address, status: 'failed' }
  return { address, status: intent.isSettled ? 'done' : 'pending' }
}
