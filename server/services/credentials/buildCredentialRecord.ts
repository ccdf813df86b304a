import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { CredentialRow } from '../../store/agents/credentialStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'

/** Builds the record of adding or removing a credential of an agent, for its owner only. */
export function buildCredentialRecord(
  eventType: 'agent.credential_added' | 'agent.credential_removed',
  agent: AgentRow,
  credential: CredentialRow,
  { now, randomBytes }: { now: number; randomBytes: (length: number) => Uint8Array },
): NewAuditRecord {
  const { id, type, subject, issuer, algorithm, lookupKey } = credential
  return buildAgentRecord(
    agent,
    {
      eventType,
      eventData: { credentialId: id, type, subject, issuer },
      inputs: { credentialId: id, type, subject, issuer, algorithm, lookupKey },
    },
    { now, randomBytes },
  )
}
