import type { RequirableFact } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { DirectoryStore } from '../../store/agents/directoryStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import { listTerms } from '../directory/listTerms.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import { buildAgentRecord } from './buildAgentRecord.ts'
import { findOwnAgent } from './findOwnAgent.ts'
import {
  type AgentSettings,
  type ShowAgentSettingsDeps,
  type StoredSettings,
  settingsOf,
  showAgentSettings,
} from './showAgentSettings.ts'

export type ChangeAgentSettingsDeps = ShowAgentSettingsDeps & {
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId' | 'update'>
  records: Pick<AuditRecordStore, 'append'>
  directory: Pick<DirectoryStore, 'put'>
  onAgentChanged(svcId: string): void
  writeAs: WriteAs
  settings: { randomBytes: (length: number) => Uint8Array }
}

export type ChangeAgentSettingsInput = {
  id: string
  principal: SessionPrincipal
  changes: {
    /** Null for the default. */
    minIdentityProof?: IdentityProof | null | undefined
    requiredFacts?: RequirableFact[] | undefined
    isListed?: boolean | undefined
  }
  isExpected: Expectation
  now: number
}

/**
 * Changes what requests of an agent have to prove and to state, and whether it is in the directory; a member that is
 * left out stays as it is.
 *
 * Decisions after the response follow the new settings, also those about its descendants. Setting the current ones again
 * records nothing.
 *
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED, as `requireWriter`. Source: docs/agents.md.
 */
export async function changeAgentSettings(
  deps: ChangeAgentSettingsDeps,
  { id, principal, changes, isExpected, now }: ChangeAgentSettingsInput,
): Promise<AgentSettings> {
  const found = await findOwnAgent(deps.agents, { id, principal, toWrite: true })
  const writer = { principal, ownerId: found.ownerId }
  const changed = await deps.writeAs(writer, [`agent ${found.svcId}`], async (trx) => {
    const agent = (await deps.agents.bySvcId(found.svcId, trx)) ?? found
    const before = settingsOf(agent)
    requireExpected(isExpected, 'agentRequirements', before)
    const after = { ...before, ...omitUndefined(changes) }
    if (canonicaliseJson(before) === canonicaliseJson(after)) return agent
    await deps.agents.update(trx, agent.svcId, { ...after, updatedAt: now })
    await deps.directory.put(trx, agent.svcId, listTerms({ ...agent, ...after }))
    await deps.records.append(trx, buildChangedRecord(deps, { agent, principal, before, after, now }))
    return { ...agent, ...after }
  })
  deps.onAgentChanged(found.svcId)
  return showAgentSettings(deps, changed)
}

function omitUndefined(changes: ChangeAgentSettingsInput['changes']): Partial<StoredSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

type Change = {
  agent: AgentRow
  principal: SessionPrincipal
  before: StoredSettings
  after: StoredSettings
  now: number
}

function buildChangedRecord(
  { settings }: ChangeAgentSettingsDeps,
  { agent, principal, before, after, now }: Change,
) {
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.settings_changed',
      eventData: after,
      inputs: { changedBy: principal.userId, before, after },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
