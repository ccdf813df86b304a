import { allowlistEntrySchema } from '@svc/core/access/allowlistEntrySchema.ts'
import { endpointOperations } from '@svc/core/contract/endpoints.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  addAllowlistEntry,
  type ChangeAllowlistDeps,
  listAllowlist,
  removeAllowlistEntry,
} from '../../services/endpoints/changeAllowlist.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { operation } from '../operation.ts'

export const getEndpointAllowlist = operation({
  summary: 'Lists the allowlist of one of the caller’s endpoints, newest entry first.',
  query: PAGE_QUERY,
  answer: endpointOperations['GET /api/endpoints/:id/allowlist'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { endpoints: Parameters<typeof listAllowlist>[0] }) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return {
      body: writePage(await listAllowlist(parts.endpoints, { id: params.id ?? '', principal, page })),
    }
  },
})

/**
 * The `ETag` is that of the entries of the same owner, which no one else’s change of another owner’s entries refuses.
 *
 * Source: `Spec: POST /api/endpoints/:id/allowlist`.
 */
export const postEndpointAllowlist = operation({
  summary:
    'Adds an owner to an endpoint’s allowlist; from the first entry on, the agents of all other owners are denied.',
  body: endpointOperations['POST /api/endpoints/:id/allowlist'].body,
  status: 201,
  answer: endpointOperations['POST /api/endpoints/:id/allowlist'].answer,
  otherStatuses: {
    200: {
      when: 'The list has this entry already, which is returned',
      answer: endpointOperations['POST /api/endpoints/:id/allowlist'].answer,
    },
  },
  isTagged: true,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { endpoints: ChangeAllowlistDeps }) => async (call) => {
    const { entry, isNew, tag } = await call.once(() =>
      addAllowlistEntry(parts.endpoints, {
        id: call.params.id ?? '',
        principal: call.principal,
        isExpected: readIfMatch(call),
        entry: parseInput(allowlistEntrySchema, call.body),
        now: call.now,
      }),
    )
    return {
      status: isNew ? 201 : 200,
      // What the former release has stored for this Idempotency-Key has no tag.
      ...(tag !== undefined && { headers: { ETag: tag } }),
      body: { success: true, entry },
    }
  },
})

export const deleteEndpointAllowlistEntry = operation({
  summary: 'Removes an entry from the allowlist of one of the caller’s endpoints.',
  answer: endpointOperations['DELETE /api/endpoints/:id/allowlist/:entryId'].answer,
  isTagged: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { endpoints: ChangeAllowlistDeps }) => async (call) => {
    const { id = '', entryId = '' } = call.params
    const { principal, now } = call
    const input = { id, entryId, principal, isExpected: readIfMatch(call), now }
    const { tag } = await removeAllowlistEntry(parts.endpoints, input)
    return { headers: { ETag: tag }, body: { success: true, id: entryId } }
  },
})
