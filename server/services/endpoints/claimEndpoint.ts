import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import { encodeEndpointIdentifier } from '@svc/core/ids/identifiers.ts'
import { apiError } from '../../errors.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { createWebhookSecret } from './createWebhookSecret.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'
import type { RegisterEndpointDeps } from './registerEndpoint.ts'
import { type RegisteredEndpoint, registerOnHost } from './registerOnHost.ts'

export type ClaimEndpointInput = {
  id: string
  principal: SessionPrincipal
  /** The organisation that will own it; required if a person discovered it. */
  organizationId: string | undefined
  changes: {
    name?: string | undefined
    trustScoreRequirement?: number | undefined
    unverifiedAgentPolicy?: UnverifiedAgentPolicy | undefined
  }
  now: number
  waitForHost: WaitForHost
}

/**
 * Claims a discovered endpoint: it gets its `SVCE-` identifier and keeps its id, and with it the history of its traffic.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, ORG_REQUIRED without an organisation, INVALID_STATE for an endpoint that is
 * claimed or not active, URL_ALREADY_CLAIMED; as `WaitForHost`. Source: `Spec: States`; `Spec: Endpoint dashboard
 * actions`.
 */
export async function claimEndpoint(
  deps: RegisterEndpointDeps,
  input: ClaimEndpointInput,
): Promise<RegisteredEndpoint> {
  const { principal, now, waitForHost } = input
  const { randomBytes } = deps.settings
  const found = await findOwnEndpoint(deps.endpoints, { id: input.id, principal, toWrite: true })
  const ownerId = resolveClaimant(input, found)
  if (!isClaimable(found)) throw apiError('INVALID_STATE')
  const svceId = encodeEndpointIdentifier(randomBytes(16))
  const { secret, stored } = createWebhookSecret(deps.secrets, found.id, randomBytes)
  const { url, host } = found
  const claim = { principal, url, host, ownerId, actsFor: principal.actsFor, now, waitForHost }
  return registerOnHost(deps, claim, async (trx) => {
    const before = await deps.endpoints.byAnyId(found.id, trx)
    if (!before || !isClaimable(before) || before.url !== url) throw apiError('INVALID_STATE')
    const given = Object.entries(input.changes).filter(([, value]) => value !== undefined)
    const changes = {
      ...Object.fromEntries(given),
      ...stored,
      ownerId,
      svceId,
      tier: 'self_asserted' as const,
      updatedAt: now,
    }
    await deps.endpoints.update(trx, before.id, changes)
    const endpoint = { ...before, ...changes }
    const details = { claimedDiscovered: true }
    await deps.records.append(
      trx,
      buildEndpointRecord('endpoint.registered', endpoint, details, { now, randomBytes }),
    )
    return { endpoint, secret }
  })
}

function isClaimable({ tier, status }: EndpointRow): boolean {
  return tier === 'discovered' && status === 'active'
}

function resolveClaimant({ organizationId, principal }: ClaimEndpointInput, endpoint: EndpointRow): string {
  const named = organizationId ?? (endpoint.ownerId.startsWith('SVCO-') ? endpoint.ownerId : undefined)
  if (named === undefined) {
    throw apiError('ORG_REQUIRED', { message: 'Name the organisation that the endpoint will belong to.' })
  }
  if (!named.startsWith('SVCO-')) throw apiError('FORBIDDEN')
  requireWriter(principal, named)
  return named
}
