import type { AgentKeyRow } from '../../../store/agents/agentKeyStore.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { NewAuditRecord } from '../../../store/audit/newAuditRecord.ts'
import { buildAgentRecord } from '../buildAgentRecord.ts'
import type { KeyOwner } from './changeKeysOfAgent.ts'

/** A key of an agent, or an Ethereum account, which is known by its address alone. */
type ChangedKey = Pick<AgentKeyRow, 'kid' | 'name'> & { jwk: AgentKeyRow['jwk'] | null }

/**
 * Builds the record of adding or revoking a key of an agent, for its owner only; the thumbprint is a public fact of it.
 *
 * @param change.principal Null if the key was revoked because somebody else, whom it does not name, proved to hold it.
 */
export function buildAgentKeyRecord(
  eventType: 'agent.key_added' | 'agent.key_revoked',
  { agent, key, principal }: { agent: AgentRow; key: ChangedKey; principal: KeyOwner | null },
  { now, randomBytes }: { now: number; randomBytes: (length: number) => Uint8Array },
): NewAuditRecord {
  const { kid, jwk, name } = key
  const changedBy =
    principal === null ? null : principal.kind === 'session' ? principal.userId : principal.address
  const reason = principal === null ? { reason: 'proven_by_another_owner' } : {}
  return buildAgentRecord(
    agent,
    {
      eventType,
      subject: { kid },
      eventData: { kid, crv: jwk?.crv ?? 'secp256k1', keyName: name, ...reason },
      inputs: { changedBy, kid, jwk, keyName: name },
    },
    { now, randomBytes },
  )
}
