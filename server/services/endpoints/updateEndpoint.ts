import type { UnverifiedAgentPolicy } from '@svc/core/access/endpointFacts.ts'
import { canonicalJson } from '@svc/core/json/canonicalJson.ts'
import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/auditRecordStore.ts'
import type { Db } from '../../store/database.ts'
import type { EndpointRoute, EndpointRow, EndpointStore } from '../../store/endpointStore.ts'
import { actsForOf } from '../actsForOf.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { Principal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { endpointRecord } from './endpointRecord.ts'
import { type EndpointView, endpointView } from './endpointView.ts'

export type UpdateEndpointDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: EndpointStore
  records: AuditRecordStore
  onEndpointChanged(endpoint: EndpointRow): void
  settings: RegistrySettings
}

type EndpointChanges = {
  name?: string | undefined
  trustScoreRequirement?: number | undefined
  unverifiedAgentPolicy?: UnverifiedAgentPolicy | undefined
  routes?: EndpointRoute[] | undefined
}

export type UpdateEndpointInput = {
  id: string
  principal: Principal
  changes: EndpointChanges
  /** Whether the request wants to change the boundary, too. */
  changesBoundary: boolean
  now: number
}

/**
 * Changes the fields that are given of an endpoint; one that has them already is left as it is.
 *
 * A live boundary is not changed by an API key at all, and in a session only with a fresh passkey.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for a member who only reads, SESSION_REQUIRED, ELEVATION_REQUIRED.
 * Source: `Spec: PUT /api/endpoints/:id`; `Spec: Authentication` 6.
 */
export async function updateEndpoint(
  deps: UpdateEndpointDeps,
  input: UpdateEndpointInput,
): Promise<EndpointView> {
  const { principal, now } = input
  const found = await deps.endpoints.byAnyId(input.id)
  if (!found || !actsForOf(principal).has(found.ownerId)) throw apiError('NOT_FOUND')
  if (!mayWriteFor(principal, found.ownerId)) throw apiError('FORBIDDEN')
  if (input.changesBoundary) {
    throw apiError(principal.kind === 'session' ? 'ELEVATION_REQUIRED' : 'SESSION_REQUIRED')
  }
  const endpoint = await deps.db.transaction(async (trx) => {
    const before = (await deps.endpoints.byAnyId(found.id, trx)) ?? found
    const changes = changesTo(before, input.changes)
    if (Object.keys(changes).length === 0) return before
    const after = { ...before, ...changes, updatedAt: now }
    await deps.endpoints.update(trx, before.id, { ...changes, updatedAt: now })
    const details = { changed: Object.keys(changes) }
    const context = { now, randomBytes: deps.settings.randomBytes }
    await deps.records.append(trx, endpointRecord('endpoint.updated', after, details, context))
    return after
  })
  deps.onEndpointChanged(endpoint)
  return endpointView(endpoint)
}

function changesTo(before: EndpointRow, changes: EndpointChanges): Partial<EndpointRow> {
  const isChange = ([field, value]: [string, unknown]) =>
    value !== undefined && canonicalJson(value) !== canonicalJson(before[field as keyof EndpointRow])
  return Object.fromEntries(Object.entries(changes).filter(isChange))
}
