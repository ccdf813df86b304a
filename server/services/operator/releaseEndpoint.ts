import { apiError } from '../../errors.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { type ChangeInterventionDeps, changeIntervention, type Intervening } from './changeIntervention.ts'
import { type TellOwnerDeps, tellOwner } from './tellOwner.ts'

export type ReleaseEndpointDeps = ChangeInterventionDeps &
  TellOwnerDeps & {
    db: Pick<Db, 'transaction'>
    endpoints: Pick<EndpointStore, 'byAnyId' | 'update' | 'countOnHost'>
    contacts: Pick<OwnerContactsStore, 'managersOf'>
    records: Pick<AuditRecordStore, 'append'>
    /** Called after the commit and awaited, as for an endpoint that its owner archives. */
    onTierChanged(endpoint: EndpointRow): Promise<void>
    /** Whom owners contact; null if none is configured. */
    contact: string | null
  }

export type ReleasedEndpoint = {
  id: string
  status: 'archived'
  /** Other endpoints of the owner on the host, which stays the owner's until they are released too. */
  othersOnHost: number
}

/**
 * Archives a claimed endpoint with its history, so that others can register its URL, and tells its owner why.
 *
 * It cannot be undone; the former owner may register the URL again, unless somebody else has.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND also for an endpoint that nobody has claimed, FORBIDDEN for an endpoint of the operator,
 * INVALID_STATE for an archived one. Source: docs/decisions/0070.
 */
export async function releaseEndpoint(
  deps: ReleaseEndpointDeps,
  input: Intervening,
): Promise<ReleasedEndpoint> {
  const { principal, now } = input
  const released = await deps.db.transaction(async (trx) => {
    const before = await deps.endpoints.byAnyId(input.id, trx)
    if (!before || before.tier === 'discovered') throw apiError('NOT_FOUND')
    if (principal.actsFor.has(before.ownerId)) {
      throw apiError('FORBIDDEN', { message: 'You cannot decide about an endpoint of yours.' })
    }
    const messageOfConflict = 'The endpoint is archived already, so its URL is free.'
    if (before.status === 'archived') throw apiError('INVALID_STATE', { message: messageOfConflict })
    await changeIntervention(deps, trx, true, { ...input, subjectId: before.id, messageOfConflict })
    const after: EndpointRow = { ...before, status: 'archived', updatedAt: now }
    await deps.endpoints.update(trx, before.id, { status: 'archived', updatedAt: now })
    await recordAndTell(deps, trx, after, input)
    return { after, othersOnHost: await deps.endpoints.countOnHost(trx, before.host, before.ownerId) }
  })
  await deps.onTierChanged(released.after)
  deps.post.wake()
  return { id: released.after.id, status: 'archived', othersOnHost: released.othersOnHost }
}

async function recordAndTell(
  deps: ReleaseEndpointDeps,
  trx: Parameters<EndpointStore['update']>[0],
  endpoint: EndpointRow,
  { reason, principal, now }: Intervening,
): Promise<void> {
  const { id, svceId, ownerId, url } = endpoint
  const context = { now, randomBytes: deps.post.randomBytes }
  const decision = { decidedBy: principal.developerId }
  const record = buildEndpointRecord('endpoint.released', endpoint, decision, context)
  await deps.records.append(trx, record)
  await tellOwner(deps, trx, {
    ownerId,
    code: 'endpoint.released',
    recordId: record.recordId,
    data: { endpointId: id, ...(svceId === null ? {} : { svceId }), url, reason },
    recipients: (await deps.contacts.managersOf(ownerId, trx)).map(({ email }) => email),
    template: 'endpoint_released',
    mail: { url, reason, contact: deps.contact, link: `${deps.post.appUrl}/endpoints/${svceId ?? id}` },
    now,
  })
}
