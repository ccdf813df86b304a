import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import { createAuditRecord } from '../../audit/createAuditRecord.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { registrationFileOf } from './registrationFileOf.ts'

export type CommitRegistrationFileDeps = {
  agents: AgentStore
  records: AuditRecordStore
  settings: RegistrySettings
}

/**
 * Stores the hash of an agent's registration file and, for an agent on chain, commits to it in the audit log.
 *
 * The log is anchored, so anyone can check a served file against the chain. This runs in the transaction that changes the
 * agent; the file itself is written after the commit. An unchanged file is not committed to again.
 */
export async function commitRegistrationFile(
  deps: CommitRegistrationFileDeps,
  trx: Parameters<AgentStore['update']>[0],
  agent: AgentRow,
  now: number,
): Promise<void> {
  const { publicUrl, randomBytes } = deps.settings
  const { sha256 } = registrationFileOf(agent, publicUrl)
  if (sha256 === agent.registrationFileHash) return
  await deps.agents.update(trx, agent.svcId, { registrationFileHash: sha256 })
  if (agent.chainAgentId === null) return
  const agentId = String(agent.chainAgentId)
  const record = createAuditRecord(
    {
      eventType: 'agent.registration_file_published',
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      eventData: { agentName: agent.name, sha256 },
      subject: { svcId: agent.svcId, agentId, sha256 },
    },
    now,
    randomBytes,
  )
  await deps.records.append(trx, record)
}
