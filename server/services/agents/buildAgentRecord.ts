import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { type AuditedEvent, createAuditRecord } from '../audit/createAuditRecord.ts'

type AgentEvent = Pick<AuditedEvent, 'eventType' | 'eventData' | 'inputs' | 'subject'>

/**
 * Builds the record of a change to an agent, which only its owner sees.
 *
 * @param event Its `eventData` without the name of the agent, with which every event begins.
 */
export function buildAgentRecord(
  agent: Pick<AgentRow, 'svcId' | 'ownerId' | 'name'> & { pdlssHash: string },
  event: AgentEvent,
  { now, randomBytes }: { now: number; randomBytes: (length: number) => Uint8Array },
): NewAuditRecord {
  return createAuditRecord(
    {
      ...event,
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, ...event.eventData },
    },
    now,
    randomBytes,
  )
}
