import { apiKeyOperations, postApiKeysBody } from '@svc/core/contract/apiKeys.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type CreateApiKeyDeps, createApiKey } from '../../services/accounts/apiKeys/createApiKey.ts'
import { type ListApiKeysDeps, listApiKeys } from '../../services/accounts/apiKeys/listApiKeys.ts'
import { type RevokeApiKeyDeps, revokeApiKey } from '../../services/accounts/apiKeys/revokeApiKey.ts'
import { callerOf } from '../border/callerOf.ts'
import { ORGANIZATION_FILTER } from '../border/organizationFilter.ts'
import { PAGE_QUERY, readTimedPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

export const postApiKeys = operation({
  summary: 'Creates a personal or organisation API key, which is not shown again.',
  body: apiKeyOperations['POST /api/api-keys'].body,
  status: 201,
  answer: apiKeyOperations['POST /api/api-keys'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { accounts: CreateApiKeyDeps }) => async (call) => {
    const { name, organizationId } = parseInput(postApiKeysBody, call.body)
    const created = await call.once(() =>
      createApiKey(parts.accounts, {
        principal: callerOf(call, 'session'),
        name,
        organizationId: organizationId ?? null,
        now: call.now,
      }),
    )
    return { status: 201, body: { success: true, ...created } }
  },
})

const filterSchema = z.object(ORGANIZATION_FILTER)

export const getApiKeys = operation({
  summary:
    'Lists the API keys of the caller and of the organisations that the caller manages, with their last four characters; `organizationId` selects those of one organisation.',
  query: { ...ORGANIZATION_FILTER, ...PAGE_QUERY },
  answer: apiKeyOperations['GET /api/api-keys'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ListApiKeysDeps }) => async (call) => {
    const page = readTimedPage(call.query)
    const principal = callerOf(call, 'session')
    const { organizationId } = parseInput(filterSchema, {
      organizationId: call.query.get('organizationId') ?? undefined,
    })
    return { body: writePage(await listApiKeys(parts.accounts, { principal, organizationId, ...page })) }
  },
})

export const deleteApiKey = operation({
  summary: 'Revokes an API key immediately and permanently.',
  answer: apiKeyOperations['DELETE /api/api-keys/:id'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: RevokeApiKeyDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const revoked = await revokeApiKey(parts.accounts, {
      principal,
      id: call.params.id ?? '',
      now: call.now,
    })
    return { body: { success: true, ...revoked } }
  },
})
