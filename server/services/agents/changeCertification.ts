import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { buildAgentRecord } from './buildAgentRecord.ts'
import type { HeldCertifications } from './readCertifications.ts'

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

/** As many as an endpoint can require. */
const CERTIFICATIONS_MAX = 100
const EVENTS = { grant: 'agent.certification_granted', withdraw: 'agent.certification_withdrawn' } as const

/**
 * Grants or withdraws a certification of an agent; decisions after the response take it into account.
 *
 * Certifications come from an operator, because a claim by the owner would prove nothing, and operators cannot certify
 * agents they act for. Granting a certification that is already held records nothing.
 *
 * @throws ApiError NOT_FOUND, also for a certification that is not held; FORBIDDEN; INVALID_STATE for an agent that is
 * neither active nor suspended, or has too many. Source: docs/decisions/0044.
 */
export async function changeCertification(
  deps: ChangeCertificationDeps,
  step: CertificationStep,
  input: ChangeCertificationInput,
): Promise<HeldCertifications> {
  const found = await deps.agents.byAnyId(input.id)
  if (!found) throw apiError('NOT_FOUND')
  const { svcId } = found
  const certifications = await deps.db.transaction(
    async (trx) => {
      const agent = (await deps.agents.bySvcId(svcId, trx)) ?? found
      const after = step === 'grant' ? addCertification(agent, input) : removeCertification(agent, input)
      if (after === agent.certifications) return after
      await deps.agents.update(trx, svcId, { certifications: after, updatedAt: input.now })
      await deps.records.append(trx, buildChangedRecord(deps, step, agent, input))
      return after
    },
    [`agent ${svcId}`],
  )
  deps.onAgentChanged(svcId)
  return { svcId, certifications }
}

function addCertification(agent: AgentRow, { certification, principal }: ChangeCertificationInput): string[] {
  const { certifications, ownerId, status } = agent
  if (principal.actsFor.has(ownerId)) {
    throw apiError('FORBIDDEN', { message: 'You cannot certify an agent that you act for.' })
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

/** Names the certification and the operator; only the owner sees the event. */
function buildChangedRecord(
  { settings }: ChangeCertificationDeps,
  step: CertificationStep,
  agent: AgentRow,
  { certification, principal, now }: ChangeCertificationInput,
) {
  const change = { certification, decidedBy: principal.developerId }
  return buildAgentRecord(
    agent,
    {
      eventType: EVENTS[step],
      eventData: change,
      inputs: { ...change, before: agent.certifications },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
