import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'

export type EndEndpointDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: EndpointStore
  records: AuditRecordStore
  /** Told after the commit; awaited, because the score of the owner's agents may count the endpoint's domain. */
  onTierChanged(endpoint: EndpointRow): Promise<void>
  settings: RegistrySettings
}

export type EndEndpointInput = { id: string; principal: SessionPrincipal; now: number }

/** Source: `Spec: States`. */
const STEPS = {
  deactivate: { from: 'active', to: 'deactivated', event: 'endpoint.deactivated' },
  archive: { from: 'deactivated', to: 'archived', event: 'endpoint.archived' },
} as const

/**
 * Takes an endpoint one step nearer to its end: `deactivate` refuses all its traffic and keeps its URL, `archive` hides
 * it and gives the URL free. Audit records stay in either case, and there is no way back.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for a member who only reads, INVALID_STATE out of order.
 * Source: `Spec: States`; `Spec: Endpoint dashboard actions`.
 */
export async function endEndpoint(
  deps: EndEndpointDeps,
  action: keyof typeof STEPS,
  { id, principal, now }: EndEndpointInput,
): Promise<EndpointView> {
  const { from, to, event } = STEPS[action]
  const found = await findOwnEndpoint(deps.endpoints, { id, principal, toWrite: true })
  const endpoint = await deps.db.transaction(async (trx) => {
    const before = await deps.endpoints.byAnyId(found.id, trx)
    if (before?.status !== from) throw apiError('INVALID_STATE')
    const after: EndpointRow = { ...before, status: to, updatedAt: now }
    await deps.endpoints.update(trx, before.id, { status: to, updatedAt: now })
    const context = { now, randomBytes: deps.settings.randomBytes }
    await deps.records.append(trx, buildEndpointRecord(event, after, {}, context))
    return after
  })
  await deps.onTierChanged(endpoint)
  return toEndpointView(endpoint)
}
