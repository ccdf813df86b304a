import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'

export type EndEndpointDeps = {
  endpoints: EndpointStore
  records: AuditRecordStore
  /** Called after the commit and awaited, because the score of the owner's agents may depend on the endpoint's domain. */
  onTierChanged(endpoint: EndpointRow): Promise<void>
  writeAs: WriteAs
  settings: RegistrySettings
}

export type EndEndpointInput = { id: string; principal: SessionPrincipal; now: number }

/** Source: `Spec: States`. */
const STEPS = {
  deactivate: { from: 'active', to: 'deactivated', event: 'endpoint.deactivated' },
  archive: { from: 'deactivated', to: 'archived', event: 'endpoint.archived' },
} as const

/**
 * Moves an endpoint one step towards its end: `deactivate` refuses all traffic but keeps the URL; `archive` hides the
 * endpoint and releases the URL. Audit records remain, and neither step can be undone.
 *
 * @throws ApiError NOT_FOUND, INVALID_STATE for an impossible transition, as `requireWriter`. Source: `Spec: States`;
 * `Spec: Endpoint dashboard actions`.
 */
export async function endEndpoint(
  deps: EndEndpointDeps,
  action: keyof typeof STEPS,
  { id, principal, now }: EndEndpointInput,
): Promise<EndpointView> {
  const { from, to, event } = STEPS[action]
  const found = await findOwnEndpoint(deps.endpoints, { id, principal, toWrite: true })
  const writer = { principal, ownerId: found.ownerId }
  const endpoint = await deps.writeAs(writer, [`endpoint ${found.id}`], async (trx) => {
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
