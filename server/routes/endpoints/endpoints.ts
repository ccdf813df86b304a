import { endpointOperations, postEndpointsBody, putEndpointBody } from '@svc/core/contract/endpoints.ts'
import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ReadEndpointStatisticsDeps,
  readEndpointStatistics,
} from '../../services/activity/readEndpointStatistics.ts'
import { listEndpoints } from '../../services/endpoints/listEndpoints.ts'
import { readEndpoint } from '../../services/endpoints/readEndpoint.ts'
import { type RegisterEndpointDeps, registerEndpoint } from '../../services/endpoints/registerEndpoint.ts'
import { type UpdateEndpointDeps, updateEndpoint } from '../../services/endpoints/updateEndpoint.ts'
import { tagSettings } from '../../services/tagSettings.ts'
import { callerOf } from '../border/callerOf.ts'
import { ORGANIZATION_FILTER } from '../border/organizationFilter.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { searchSchema } from '../border/searchSchema.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: POST /api/endpoints`. */
export const postEndpoints = operation({
  summary:
    'Registers an endpoint of the API key’s organisation. The response contains its webhook secret, which is not shown again. On a host that another account has registered but not proven, the error contains a challenge; once it is published, the same call succeeds.',
  body: endpointOperations['POST /api/endpoints'].body,
  status: 201,
  answer: endpointOperations['POST /api/endpoints'].answer,
  errors: ['VALIDATION_ERROR', 'ORG_REQUIRED', 'URL_ALREADY_CLAIMED'],
  repeatable: true,
  waitsForHost: 'check',
  handle: (parts: { endpoints: RegisterEndpointDeps }) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    // Checked before the body, because no body would make this API key acceptable.
    if (principal.organizationId === null) throw apiError('ORG_REQUIRED')
    const parsed = parseInput(postEndpointsBody, call.body)
    const registration = {
      counterpartyType: parsed.counterpartyType ?? 'api',
      name: parsed.name,
      counterpartyUrl: parsed.counterpartyUrl ?? parsed.endpointUrl ?? '',
      trustScoreRequirement: parsed.trustScoreRequirement ?? 0,
      unverifiedAgentPolicy: parsed.unverifiedAgentPolicy ?? ('deny' as const),
      requiredFacts: parsed.requiredFacts ?? [],
      minIdentityProof: parsed.minIdentityProof ?? ('none' as const),
      authorities: parsed.authorities ?? [],
      includeReceipt: parsed.includeReceipt ?? false,
      pdlss: parsed.pdlss ?? {},
      routes: parsed.routes ?? [],
    }
    const { now, waitForHost } = call
    const registered = await call.once(() =>
      registerEndpoint(parts.endpoints, { principal, registration, now, waitForHost }),
    )
    return { status: 201, body: { success: true, ...registered } }
  },
})

const query = z.object({
  include: z
    .string()
    .regex(/^(discovered|archived)(,(discovered|archived))*$/, 'expected discovered, archived or both')
    .optional(),
  /** Only this kind, instead of the claimed ones. */
  only: z.enum(['claimable', 'archived']).optional(),
  search: searchSchema.optional(),
  ...ORGANIZATION_FILTER,
})

/** Source: `Spec: Endpoint dashboard actions`. */
export const getEndpoints = operation({
  summary:
    'Lists the claimed endpoints of the signed-in account and its organisations, newest first; `organizationId` selects those of one organisation. `search` selects those whose name, URL or identifier contains it; a page may then be short or empty although `hasMore` is true.',
  query: { ...query.shape, ...PAGE_QUERY },
  answer: endpointOperations['GET /api/endpoints'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { endpoints: Parameters<typeof listEndpoints>[0] }) => async (call) => {
    const page = readPage(call.query)
    const { include, only, search, organizationId } = parseInput(query, {
      include: call.query.get('include') ?? undefined,
      only: call.query.get('only') ?? undefined,
      search: call.query.get('search') ?? undefined,
      organizationId: call.query.get('organizationId') ?? undefined,
    })
    const names = include?.split(',') ?? []
    const wanted = only
      ? { only }
      : { discovered: names.includes('discovered'), archived: names.includes('archived') }
    const principal = callerOf(call, 'session')
    const input = { principal, organizationId, wanted, search, page }
    return { body: writePage(await listEndpoints(parts.endpoints, input)) }
  },
})

/** Source: `Spec: Client library contract` (per-route policy). */
export const getEndpoint = operation({
  summary: 'Returns an endpoint with its routes and policy to callers who act for its owner.',
  answer: endpointOperations['GET /api/endpoints/:id'].answer,
  isTagged: true,
  errors: ['NOT_FOUND'],
  handle: (parts: { endpoints: Parameters<typeof readEndpoint>[0] }) => async (call) => {
    const { params, principal } = call
    const endpoint = await readEndpoint(parts.endpoints, { id: params.id ?? '', principal })
    return { headers: { ETag: tagSettings('endpoint', endpoint) }, body: { success: true, endpoint } }
  },
})

/** The data of an endpoint's overview in the dashboard. */
export const getEndpointStatistics = operation({
  summary:
    'Counts the decisions of the last 30 days at an endpoint, and returns how far the busiest agents have used up the caps of its boundary.',
  answer: endpointOperations['GET /api/endpoints/:id/statistics'].answer,
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: ReadEndpointStatisticsDeps }) => async (call) => {
    const { params, principal, now } = call
    const statistics = await readEndpointStatistics(parts.activity, { id: params.id ?? '', principal, now })
    return { body: { success: true, ...statistics } }
  },
})

/** Source: `Spec: PUT /api/endpoints/:id`; `Spec: Authentication` 6. */
export const putEndpoint = operation({
  summary: 'Changes the given fields of an endpoint.',
  body: endpointOperations['PUT /api/endpoints/:id'].body,
  answer: endpointOperations['PUT /api/endpoints/:id'].answer,
  isTagged: true,
  errors: [
    'VALIDATION_ERROR',
    'NOT_FOUND',
    'FORBIDDEN',
    'SESSION_REQUIRED',
    'ELEVATION_REQUIRED',
    'INVALID_STATE',
    'URL_ALREADY_CLAIMED',
  ],
  handle: (parts: { endpoints: UpdateEndpointDeps }) => async (call) => {
    const endpoint = await updateEndpoint(parts.endpoints, {
      id: call.params.id ?? '',
      principal: call.principal,
      changes: parseInput(putEndpointBody, call.body),
      isExpected: readIfMatch(call),
      now: call.now,
    })
    return { headers: { ETag: tagSettings('endpoint', endpoint) }, body: { success: true, endpoint } }
  },
})
