import { endpointOperations, postEndpointClaimBody } from '@svc/core/contract/endpoints.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { DomainDeps } from '../../services/domains/domainDeps.ts'
import { verifyDomain } from '../../services/domains/verifyDomain.ts'
import { type ClaimEndpointDeps, claimEndpoint } from '../../services/endpoints/claimEndpoint.ts'
import { type EndEndpointDeps, endEndpoint } from '../../services/endpoints/endEndpoint.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointClaim = operation({
  summary: 'Claims a discovered endpoint for an organisation; answers its webhook secret once.',
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
  handle: (parts: { endpoints: ClaimEndpointDeps }) => async (call) => {
    const { organizationId, ...changes } = parseInput(postEndpointClaimBody, call.body ?? {})
    const claimed = await call.once(() =>
      claimEndpoint(parts.endpoints, {
        id: call.params.id ?? '',
        principal: callerOf(call, 'session'),
        organizationId,
        changes,
        now: call.now,
      }),
    )
    return { body: { success: true, ...claimed } }
  },
})

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointDeactivate = operation({
  summary: 'Refuses all traffic of an endpoint from now on, for good.',
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

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointArchive = operation({
  summary: 'Hides a deactivated endpoint and gives its URL free; audit records stay.',
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

/** Source: api.md "Endpoints". */
export const postEndpointVerifyDomain = operation({
  summary: 'Tells what to publish to prove the domain of an endpoint, and checks whether it is there.',
  answer: endpointOperations['POST /api/endpoints/:id/verify-domain'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { endpoints: DomainDeps }) => async (call) => {
    const checked = await verifyDomain(parts.endpoints, {
      id: call.params.id ?? '',
      principal: call.principal,
      now: call.now,
    })
    return { body: { success: true, ...checked } }
  },
})
