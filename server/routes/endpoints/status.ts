import { endpointOperations, postEndpointClaimBody } from '@svc/core/contract/endpoints.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { DomainDeps } from '../../services/domains/domainDeps.ts'
import { verifyDomain } from '../../services/domains/verifyDomain.ts'
import { claimEndpoint } from '../../services/endpoints/claimEndpoint.ts'
import { type EndEndpointDeps, endEndpoint } from '../../services/endpoints/endEndpoint.ts'
import type { RegisterEndpointDeps } from '../../services/endpoints/registerEndpoint.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: Endpoint dashboard actions`. */
export const postEndpointClaim = operation({
  summary:
    'Claims a discovered endpoint for an organisation. The response contains its webhook secret, which is not shown again. On a host that another account has registered but not proven, the error contains a challenge, as for a registration.',
  body: endpointOperations['POST /api/endpoints/:id/claim'].body,
  answer: endpointOperations['POST /api/endpoints/:id/claim'].answer,
  errors: [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'NOT_FOUND',
    'ORG_REQUIRED',
    'INVALID_STATE',
    'URL_ALREADY_CLAIMED',
  ],
  repeatable: true,
  waitsForHost: 'check',
  handle: (parts: { endpoints: RegisterEndpointDeps }) => async (call) => {
    const { organizationId, ...changes } = parseInput(postEndpointClaimBody, call.body ?? {})
    const claimed = await call.once(() =>
      claimEndpoint(parts.endpoints, {
        id: call.params.id ?? '',
        principal: callerOf(call, 'session'),
        organizationId,
        changes,
        now: call.now,
        waitForHost: call.waitForHost,
      }),
    )
    return { body: { success: true, ...claimed } }
  },
})

/** Source: `Spec: Endpoint dashboard actions`. */
export const postEndpointDeactivate = operation({
  summary: 'Deactivates an endpoint permanently: all requests to it are denied from now on.',
  answer: endpointOperations['POST /api/endpoints/:id/deactivate'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { endpoints: EndEndpointDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const endpoint = await endEndpoint(parts.endpoints, 'deactivate', {
      id: call.params.id ?? '',
      principal,
      now: call.now,
    })
    return { body: { success: true, endpoint } }
  },
})

/** Source: `Spec: Endpoint dashboard actions`. */
export const postEndpointArchive = operation({
  summary: 'Archives a deactivated endpoint, which hides it and releases its URL; its audit records remain.',
  answer: endpointOperations['POST /api/endpoints/:id/archive'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { endpoints: EndEndpointDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const endpoint = await endEndpoint(parts.endpoints, 'archive', {
      id: call.params.id ?? '',
      principal,
      now: call.now,
    })
    return { body: { success: true, endpoint } }
  },
})

export const postEndpointVerifyDomain = operation({
  summary:
    'Returns what to publish to prove ownership of an endpoint’s domain, and checks whether it is published.',
  answer: endpointOperations['POST /api/endpoints/:id/verify-domain'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  waitsForHost: 'check',
  handle: (parts: { endpoints: DomainDeps }) => async (call) => {
    const checked = await verifyDomain(parts.endpoints, {
      id: call.params.id ?? '',
      principal: call.principal,
      now: call.now,
      waitForHost: call.waitForHost,
    })
    return { body: { success: true, ...checked } }
  },
})
