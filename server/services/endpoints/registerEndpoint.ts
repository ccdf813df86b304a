import type { RequirableFact, UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { encodeEndpointIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { normaliseUrl } from '@svc/core/url/url.ts'
import { apiError, validationError } from '../../errors.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { EndpointRoute, EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { HostClaim } from '../domains/hostDeps.ts'
import { findPublicHostFault } from '../findPublicHostFault.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { createWebhookSecret } from './createWebhookSecret.ts'
import { type RegisteredEndpoint, type RegisterOnHostDeps, registerOnHost } from './registerOnHost.ts'
import { requireOwnAuthorities } from './requireOwnAuthorities.ts'

export type RegisterEndpointDeps = RegisterOnHostDeps & {
  endpoints: EndpointStore
  records: AuditRecordStore
  secrets: SecretBox
  writeAs: WriteAs
  settings: RegistrySettings
}

export type RegisterEndpointInput = {
  principal: ApiKeyPrincipal
  registration: EndpointRegistration
  now: number
  waitForHost: WaitForHost
}

/**
 * Registers an endpoint of the key's organisation and returns its webhook secret for the only time.
 *
 * A URL that a verification by this account discovered is claimed: the endpoint keeps its id and the history of its
 * traffic.
 *
 * @throws ApiError ORG_REQUIRED, VALIDATION_ERROR, URL_ALREADY_CLAIMED; as `WaitForHost`. Source: `Spec: POST
 * /api/endpoints`.
 */
export async function registerEndpoint(
  deps: RegisterEndpointDeps,
  input: RegisterEndpointInput,
): Promise<RegisteredEndpoint> {
  const { principal, now, waitForHost } = input
  const { organizationId, developerId, actsFor } = principal
  if (organizationId === null) throw apiError('ORG_REQUIRED')
  const { randomBytes } = deps.settings
  const target = targetOf(input.registration, deps.settings)
  const svceId = encodeEndpointIdentifier(randomBytes(16))
  const claim = { ...target, principal, ownerId: organizationId, actsFor, now, waitForHost }
  return registerOnHost(deps, claim, async (trx) => {
    const { authorities } = input.registration
    await requireOwnAuthorities(deps.endpoints, { authorities, ownerId: organizationId }, trx)
    const discovered =
      (await deps.endpoints.discoveredByUrl(organizationId, target.url, trx)) ??
      (await deps.endpoints.discoveredByUrl(developerId, target.url, trx))
    const row = {
      ...rowOf(input, target, randomBytes),
      id: discovered?.id ?? generateUuidV7(now, randomBytes(10)),
      createdAt: discovered?.createdAt ?? now,
      svceId,
      ownerId: organizationId,
    }
    const { secret, stored } = createWebhookSecret(deps.secrets, row.id, randomBytes)
    const endpoint = { ...row, ...stored }
    if (discovered) await deps.endpoints.update(trx, row.id, endpoint)
    else await deps.endpoints.insert(trx, endpoint)
    const details = { claimedDiscovered: discovered !== null }
    await deps.records.append(
      trx,
      buildEndpointRecord('endpoint.registered', endpoint, details, { now, randomBytes }),
    )
    return { endpoint, secret }
  })
}

type Target = Pick<HostClaim, 'url' | 'host'>

function targetOf({ counterpartyUrl }: EndpointRegistration, settings: RegistrySettings): Target {
  const normal = normaliseUrl(counterpartyUrl)
  const fault = findPublicHostFault(counterpartyUrl, settings.allowPrivateNetwork)
  if (normal.ok && fault === null) return { url: normal.url, host: normal.host }
  throw validationError([
    { pointer: '/counterpartyUrl', code: 'invalid_url', message: fault ?? 'expected a URL' },
  ])
}

function rowOf(
  { registration, now }: RegisterEndpointInput,
  target: Target,
  randomBytes: (length: number) => Uint8Array,
): Omit<EndpointRow, 'id' | 'svceId' | 'ownerId' | 'createdAt'> {
  const { counterpartyUrl: _, ...fields } = registration
  const pdlssSalt = encodeHex(randomBytes(16))
  return {
    ...fields,
    url: target.url,
    host: target.host,
    tier: 'self_asserted',
    status: 'active',
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, registration.pdlss),
    webhookSecret: null,
    webhookSecretLastFour: null,
    webhookUrl: null,
    updatedAt: now,
  }
}

/** The body of an endpoint's registration after parsing. Source: `Spec: POST /api/endpoints`. */
type EndpointRegistration = {
  counterpartyType: string
  name: string
  counterpartyUrl: string
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  requiredFacts: RequirableFact[]
  minIdentityProof: IdentityProof
  authorities: string[]
  includeReceipt: boolean
  pdlss: Pdlss
  routes: EndpointRoute[]
}
