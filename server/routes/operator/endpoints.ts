import {
  interventionBody,
  interventionOperations,
  interventionSchemas,
} from '@svc/core/contract/interventions.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { listAllEndpoints } from '../../services/operator/listSubjects.ts'
import { type ReleaseEndpointDeps, releaseEndpoint } from '../../services/operator/releaseEndpoint.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { searchSchema } from '../border/searchSchema.ts'
import { operation } from '../operation.ts'
import { interveningOf } from './interveningOf.ts'

const querySchema = z.object({
  search: searchSchema.optional(),
  status: interventionSchemas.endpointStatus.optional(),
})

/** Source: docs/decisions/0070. */
export const getAdminEndpoints = operation({
  summary:
    'Lists all claimed endpoints to an operator, newest first. `search` is an identifier of the endpoint or its owner, a URL on the host, or the beginning of a host or a name.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: interventionOperations['GET /api/admin/endpoints'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { operator: Parameters<typeof listAllEndpoints>[0] }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { search, status } = parseInput(querySchema, Object.fromEntries(call.query))
    const page = readPage(call.query)
    return { body: writePage(await listAllEndpoints(parts.operator, { principal, search, status, page })) }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminEndpointRelease = operation({
  summary:
    'Archives a claimed endpoint with its history and releases its URL, which others can then register; its owners and admins are told the reason.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/endpoints/:id/release'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ReleaseEndpointDeps }) => async (call) => {
    const released = await releaseEndpoint(parts.operator, interveningOf(call))
    return { body: { success: true, ...released } }
  },
})
