import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import type { DomainDeps } from '../../services/domains/domainDeps.ts'
import { verifyDomain } from '../../services/domains/verifyDomain.ts'
import { type ClaimEndpointDeps, claimEndpoint } from '../../services/endpoints/claimEndpoint.ts'
import { type EndEndpointDeps, endEndpoint } from '../../services/endpoints/endEndpoint.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'
import { endpointSchemas } from './endpointSchemas.ts'

const body = z.object({
  organizationId: z.string().max(100).optional(),
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
})

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointClaim = operation({
  summary: 'Claims a discovered endpoint for an organisation; answers its webhook secret once.',
  body,
  answer: z.object({
    success: z.literal(true),
    svceId: z.string(),
    webhookSecret: z.string(),
    endpoint: endpointSchemas.endpoint,
  }),
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
    const { organizationId, ...changes } = parseInput(body, call.body ?? {})
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
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
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
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
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

const method = z.enum(['dns', 'well_known'])

/** Source: api.md "Endpoints". */
export const postEndpointVerifyDomain = operation({
  summary: 'Tells what to publish to prove the domain of an endpoint, and checks whether it is there.',
  answer: z.object({
    success: z.literal(true),
    verified: z.boolean(),
    method: method.nullable(),
    challenge: z.object({
      dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
      wellKnown: z.object({
        url: z.string(),
        body: z.object({ verifications: z.array(z.object({ svceId: z.string(), token: z.string() })) }),
      }),
    }),
    failures: z.array(z.object({ method, reason: z.enum(['not_found', 'mismatch', 'unreachable']) })),
    endpoint: endpointSchemas.endpoint,
  }),
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
