import { apiError } from '../../errors.ts'
import type { Organization, OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import { type ChangeInterventionDeps, changeIntervention, type Intervening } from './changeIntervention.ts'
import { STANDING_STEPS, type StandingStep } from './standingSteps.ts'
import { type TellOwnerDeps, tellOwner } from './tellOwner.ts'

export type ChangeOrganizationStandingDeps = ChangeInterventionDeps &
  TellOwnerDeps & {
    db: Pick<Db, 'transaction'>
    organizations: Pick<OrganizationStore, 'byId'>
    contacts: Pick<OwnerContactsStore, 'managersOf'>
    records: Pick<AuditRecordStore, 'append'>
    receipts: Pick<ReceiptStore, 'withdrawOfOwner'>
    /** Called after the commit and before the response. */
    onStandingChanged(): void
    /** Whom owners contact; null if none is configured. */
    contact: string | null
  }

/**
 * Suspends an organisation, or ends its suspension, and tells its owners and admins why.
 *
 * From the response on, its API keys are refused, nobody can change anything of it, its endpoints admit nobody and its
 * agents are not active, so that receipts of earlier grants are withdrawn. Its members can still read, and their own
 * accounts continue.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for an organisation of the operator, INVALID_STATE as `changeIntervention`. Source:
 * docs/decisions/0070.
 */
export async function changeOrganizationStanding(
  deps: ChangeOrganizationStandingDeps,
  step: StandingStep,
  input: Intervening,
): Promise<{ organizationId: string; status: 'active' | 'suspended' }> {
  const { isSuspended, status } = STANDING_STEPS[step]
  if (input.principal.actsFor.has(input.id)) {
    throw apiError('FORBIDDEN', { message: 'You cannot decide about an organisation of yours.' })
  }
  await deps.db.transaction(async (trx) => {
    const organization = await deps.organizations.byId(trx, input.id)
    if (!organization) throw apiError('NOT_FOUND')
    await changeIntervention(deps, trx, isSuspended, {
      ...input,
      subjectId: organization.id,
      messageOfConflict: isSuspended
        ? 'The organisation is suspended already.'
        : 'The organisation is not suspended.',
    })
    if (isSuspended) await deps.receipts.withdrawOfOwner(trx, { ownerId: organization.id, at: input.now })
    await recordAndTell(deps, trx, step, { organization, input })
  })
  deps.onStandingChanged()
  deps.post.wake()
  return { organizationId: input.id, status }
}

async function recordAndTell(
  deps: ChangeOrganizationStandingDeps,
  trx: Parameters<OrganizationStore['insert']>[0],
  step: StandingStep,
  { organization, input }: { organization: Organization; input: Intervening },
): Promise<void> {
  const { reason, principal, now } = input
  const { id: organizationId, name: organizationName } = organization
  const code = `organization.${STANDING_STEPS[step].event}`
  const change = { organizationId, decidedBy: principal.developerId }
  const record = createAuditRecord(
    {
      eventType: code,
      ownerId: organizationId,
      counterpartyOwnerId: null,
      agentId: null,
      endpointId: null,
      subject: { organizationId },
      // Without the reason, which is free text.
      eventData: { ...change, organizationName },
      inputs: change,
    },
    now,
    deps.post.randomBytes,
  )
  await deps.records.append(trx, record)
  const { isSuspended } = STANDING_STEPS[step]
  const link = `${deps.post.appUrl}/organisations/${organizationId}`
  await tellOwner(deps, trx, {
    ownerId: organizationId,
    code,
    recordId: record.recordId,
    data: { organizationId, organizationName, reason },
    recipients: (await deps.contacts.managersOf(organizationId, trx)).map(({ email }) => email),
    template: 'organization_standing',
    mail: { isSuspended, organizationName, reason, contact: deps.contact, link },
    now,
  })
}
