import type { RequirableFact, UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { EndpointRoute, EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { Principal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { requireElevation } from '../requireElevation.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'
import { requireOwnAuthorities } from './requireOwnAuthorities.ts'

export type UpdateEndpointDeps = {
  endpoints: EndpointStore
  records: AuditRecordStore
  onEndpointChanged(endpoint: EndpointRow): void
  writeAs: WriteAs
  settings: RegistrySettings
}

type EndpointChanges = {
  name?: string | undefined
  trustScoreRequirement?: number | undefined
  unverifiedAgentPolicy?: UnverifiedAgentPolicy | undefined
  requiredFacts?: RequirableFact[] | undefined
  minIdentityProof?: IdentityProof | undefined
  authorities?: string[] | undefined
  includeReceipt?: boolean | undefined
  routes?: EndpointRoute[] | undefined
  pdlss?: Pdlss | undefined
}

export type UpdateEndpointInput = {
  id: string
  principal: Principal
  changes: EndpointChanges
  isExpected: Expectation
  now: number
}

/**
 * Changes the given fields of an endpoint; an endpoint that already has the values stays as it is.
 *
 * An API key cannot change a live boundary, and a session only with a recent passkey assertion.
 *
 * @throws ApiError NOT_FOUND, SESSION_REQUIRED, ELEVATION_REQUIRED, PRECONDITION_FAILED, as `requireWriter`, INVALID_STATE
 * for an archived endpoint, URL_ALREADY_CLAIMED for an authority on a host of another owner.
 * Source: `Spec: PUT /api/endpoints/:id`; `Spec: Authentication` 6.
 */
export async function updateEndpoint(
  deps: UpdateEndpointDeps,
  input: UpdateEndpointInput,
): Promise<EndpointView> {
  const { principal, now } = input
  const { randomBytes } = deps.settings
  const found = await findOwnEndpoint(deps.endpoints, { id: input.id, principal, toWrite: true })
  const writer = { principal, ownerId: found.ownerId }
  if (input.changes.pdlss !== undefined) requireElevation(principal)
  const endpoint = await deps.writeAs(writer, [`endpoint ${found.id}`], async (trx) => {
    const before = (await deps.endpoints.byAnyId(found.id, trx)) ?? found
    requireExpected(input.isExpected, 'endpoint', before)
    if (before.status === 'archived') throw apiError('INVALID_STATE')
    const changes = pickChanges(before, input.changes)
    if (Object.keys(changes).length === 0) return before
    const added = changes.authorities?.filter((authority) => !before.authorities.includes(authority)) ?? []
    await requireOwnAuthorities(deps.endpoints, { ...before, authorities: added }, trx)
    const details = { changed: Object.keys(changes) }
    const written = { ...changes, ...commitToPdlss(changes.pdlss, randomBytes), updatedAt: now }
    const after = { ...before, ...written }
    await deps.endpoints.update(trx, before.id, written)
    await deps.records.append(
      trx,
      buildEndpointRecord('endpoint.updated', after, details, { now, randomBytes }),
    )
    return after
  })
  deps.onEndpointChanged(endpoint)
  return toEndpointView(endpoint)
}

/** A new salt hides the new boundary, so that nobody can tell whether it equals an earlier one. */
function commitToPdlss(
  pdlss: Pdlss | undefined,
  randomBytes: (length: number) => Uint8Array,
): Partial<Pick<EndpointRow, 'pdlssSalt' | 'pdlssHash'>> {
  if (pdlss === undefined) return {}
  const pdlssSalt = encodeHex(randomBytes(16))
  return { pdlssSalt, pdlssHash: hashPdlss(pdlssSalt, pdlss) }
}

function pickChanges(before: EndpointRow, changes: EndpointChanges): Partial<EndpointRow> {
  const isChange = ([field, value]: [string, unknown]) =>
    value !== undefined && canonicaliseJson(value) !== canonicaliseJson(before[field as keyof EndpointRow])
  return Object.fromEntries(Object.entries(changes).filter(isChange))
}
