import { allowlistEntrySchema } from '@svc/core/access/allowlist.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import type { Operation } from '../operation.ts'

/** An allowlist entry in answers. Source: `Spec: Allowlist entry`. */
const allowlistEntryAnswer = allowlistEntrySchema.extend({ id: z.uuid(), createdAt: z.string() })

/** Source: api.md "Endpoints". */
export const getEndpointAllowlist: Operation = {
  summary: 'Lists the allowlist of an own endpoint, newest entry first.',
  query: PAGE_QUERY,
  answer: pageAnswer(allowlistEntryAnswer),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return {
      body: writePage(await services.endpoints.listAllowlist({ id: params.id ?? '', principal, page })),
    }
  },
}

/** Source: `Spec: POST /api/endpoints/:id/allowlist`. */
export const postEndpointAllowlist: Operation = {
  summary: 'Admits the agents of an owner; from the first entry on, all others are refused.',
  body: allowlistEntrySchema,
  status: 201,
  answer: z.object({ success: z.literal(true), entry: allowlistEntryAnswer }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const entry = await services.endpoints.addAllowlistEntry({
      id: call.params.id ?? '',
      principal: call.principal,
      entry: parseInput(allowlistEntrySchema, call.body),
      now: call.now,
    })
    return { status: 201, body: { success: true, entry } }
  },
}

/** Source: api.md "Endpoints". */
export const deleteEndpointAllowlistEntry: Operation = {
  summary: 'Takes an entry off the allowlist of an own endpoint.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { id = '', entryId = '' } = call.params
    await services.endpoints.removeAllowlistEntry({ id, entryId, principal: call.principal, now: call.now })
    return { body: { success: true, id: entryId } }
  },
}
