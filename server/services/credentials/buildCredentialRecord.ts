import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { CredentialRow } from '../../store/agents/credentialStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

/** Builds the record of adding or removing a credential of an agent, for its owner only. */
export function buildCredentialRecord(
  eventType: 'agent.credential_added' | 'agent.credential_removed',
  agent: AgentRow,
  credential: CredentialRow,
  { now, randomBytes }: { now: number; randomBytes: (length: number) => Uint8Array },
): NewAuditRecord {
  const { id, type, subject, issuer, algorithm, lookupKey } = credential
  return createAuditRecord(
    {
      eventType,
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, credentialId: id, type, subject, issuer },
      inputs: { credentialId: id, type, subject, issuer, algorithm, lookupKey },
    },
    now,
    randomBytes,
  )
}
