import type { Adoption, AdoptionStore } from '../../store/agents/adoptionStore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { CredentialStore } from '../../store/agents/credentialStore.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'
import { moveAgentStatus } from '../agents/moveAgentStatus.ts'
import type { SettleSubAgentsDeps } from '../agents/registration/settleSubAgents.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'

type Trx = Parameters<AdoptionStore['remove']>[0]

export type CloseAdoptionDeps = SettleSubAgentsDeps & {
  adoptions: Pick<AdoptionStore, 'ofAgent' | 'remove'>
  credentials: Pick<CredentialStore, 'ofAgent' | 'remove'>
  alerts: Pick<AlertStore, 'raise'>
}

export type EndAdoptionDeps = CloseAdoptionDeps & {
  db: Pick<Db, 'transaction'>
  onAgentChanged(svcId: string): void
  onCredentialChanged(lookupKey: string): void
  publishFile(svcId: string): Promise<void>
}

/** The transfer that ends an adoption; the new owner is null for a burnt token. */
export type TokenTransfer = { svcId: string; newOwner: string | null; block: number; now: number }

/** What has to be renewed after the commit. */
type Closed = { agents: string[]; lookupKeys: string[] }

/**
 * Ends the adoption of an agent whose token was transferred: the agent is retired with its sub-agents, and its former owner
 * is told. From then on the token identifies no agent here, and the new owner may adopt it.
 *
 * Safe to repeat: an adoption ends once.
 */
export async function endAdoption(deps: EndAdoptionDeps, transfer: TokenTransfer): Promise<void> {
  const closed = await deps.db.transaction((trx) => closeAdoption(deps, trx, transfer))
  await renewAfterClosing(deps, closed)
}

/** Renews caches and files after the commit in which an adoption ended. */
export async function renewAfterClosing(
  deps: Pick<EndAdoptionDeps, 'onAgentChanged' | 'onCredentialChanged' | 'publishFile'>,
  { agents, lookupKeys }: Closed,
): Promise<void> {
  for (const key of lookupKeys) deps.onCredentialChanged(key)
  for (const svcId of agents) deps.onAgentChanged(svcId)
  for (const svcId of agents) await deps.publishFile(svcId)
}

/** Ends an adoption in the caller's transaction; `endAdoption` otherwise. */
export async function closeAdoption(
  deps: CloseAdoptionDeps,
  trx: Trx,
  { svcId, newOwner, block, now }: TokenTransfer,
): Promise<Closed> {
  const adoption = await deps.adoptions.ofAgent(svcId, trx)
  const agent = await deps.agents.bySvcId(svcId, trx)
  // A process that asked for it knows the agent as it was before.
  if (adoption === null || agent === null) return { agents: [svcId], lookupKeys: [] }
  await deps.adoptions.remove(trx, svcId)
  const held = await deps.credentials.ofAgent(svcId, trx)
  const tokens = held.filter(({ type }) => type === 'erc8004')
  for (const { id } of tokens) await deps.credentials.remove(trx, id)
  const record = buildEndedRecord(deps, agent, { adoption, newOwner, block, now })
  await deps.records.append(trx, record)
  const alert = {
    ownerId: agent.ownerId,
    code: 'agent.adoption_ended',
    severity: 'critical' as const,
    subject: record.recordId,
    data: { agentId: svcId, agentName: agent.name },
  }
  const { randomBytes } = deps.settings
  await deps.alerts.raise(buildAlert(alert, { now, randomBytes }), trx)
  const agents = isLiving(agent)
    ? await moveAgentStatus(deps, trx, 'retire', { svcId, changedBy: 'foreign-registry', now })
    : [svcId]
  return { agents, lookupKeys: tokens.map(({ lookupKey }) => lookupKey) }
}

function isLiving({ status }: AgentRow): boolean {
  return status === 'active' || status === 'suspended'
}

function buildEndedRecord(
  { settings }: CloseAdoptionDeps,
  agent: AgentRow,
  { adoption, newOwner, block, now }: { adoption: Adoption } & Omit<TokenTransfer, 'svcId'>,
) {
  const { owner: formerOwner } = adoption
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.adoption_ended',
      eventData: { token: agent.foreignToken, formerOwner, newOwner, block },
      inputs: { token: agent.foreignToken, formerOwner, newOwner, block },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
