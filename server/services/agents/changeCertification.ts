import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'

export type ChangeCertificationDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId' | 'update'>
  records: Pick<AuditRecordStore, 'append'>
  onAgentChanged(svcId: string): void
  settings: Pick<RegistrySettings, 'randomBytes'>
}

export type CertificationStep = 'grant' | 'withdraw'

export type ChangeCertificationInput = {
  id: string
  certification: string
  /** An operator. */
  principal: SessionPrincipal
  now: number
}

/** What an agent holds, in the order in which it was granted. */
export type HeldCertifications = { svcId: string; certifications: string[] }

/** As many as an endpoint may ask for. */
const CERTIFICATIONS_MAX = 100
const EVENTS = { grant: 'agent.certification_granted', withdraw: 'agent.certification_withdrawn' } as const

/**
 * Grants an agent a certification, or withdraws it; decisions made after the answer follow.
 *
 * An operator vouches for it, because what owners said of themselves would hold nobody back; so nobody grants one to an
 * agent they act for. What is held already is granted without a record.
 *
 * @throws ApiError NOT_FOUND, also for a certification that is not held; FORBIDDEN; INVALID_STATE for an agent that is
 *   neither active nor suspended, or holds as many as fit.
 * Source: verification.md "Input", "Trust score"; docs/decisions/0044.
 */
export async function changeCertification(
  deps: ChangeCertificationDeps,
  step: CertificationStep,
  input: ChangeCertificationInput,
): Promise<HeldCertifications> {
  const found = await deps.agents.byAnyId(input.id)
  if (!found) throw apiError('NOT_FOUND')
  const { svcId } = found
  const certifications = await deps.db.transaction(async (trx) => {
    const agent = (await deps.agents.bySvcId(svcId, trx)) ?? found
    const after = step === 'grant' ? addCertification(agent, input) : removeCertification(agent, input)
    if (after === agent.certifications) return after
    await deps.agents.update(trx, svcId, { certifications: after, updatedAt: input.now })
    await deps.records.append(trx, buildChangedRecord(deps, step, agent, input))
    return after
  })
  deps.onAgentChanged(svcId)
  return { svcId, certifications }
}

function addCertification(agent: AgentRow, { certification, principal }: ChangeCertificationInput): string[] {
  const { certifications, ownerId, status } = agent
  if (principal.actsFor.has(ownerId)) {
    throw apiError('FORBIDDEN', { message: 'Nobody certifies an agent of their own.' })
  }
  if (certifications.includes(certification)) return certifications
  if (status !== 'active' && status !== 'suspended') throw apiError('INVALID_STATE')
  if (certifications.length >= CERTIFICATIONS_MAX) {
    const message = `An agent has at most ${CERTIFICATIONS_MAX} certifications.`
    throw apiError('INVALID_STATE', { message })
  }
  return [...certifications, certification]
}

function removeCertification(
  { certifications }: AgentRow,
  { certification }: ChangeCertificationInput,
): string[] {
  if (!certifications.includes(certification)) throw apiError('NOT_FOUND')
  return certifications.filter((held) => held !== certification)
}

/** Says which, and who decided it; it is the owner's alone. */
function buildChangedRecord(
  { settings }: ChangeCertificationDeps,
  step: CertificationStep,
  agent: AgentRow,
  { certification, principal, now }: ChangeCertificationInput,
) {
  const change = { certification, decidedBy: principal.developerId }
  return createAuditRecord(
    {
      eventType: EVENTS[step],
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, ...change },
      inputs: { ...change, before: agent.certifications },
    },
    now,
    settings.randomBytes,
  )
}

/** What an agent holds, for operators. @throws ApiError NOT_FOUND. */
export async function readCertifications(
  { agents }: { agents: Pick<AgentStore, 'byAnyId'> },
  { id }: { id: string },
): Promise<HeldCertifications> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  return { svcId: agent.svcId, certifications: agent.certifications }
}
