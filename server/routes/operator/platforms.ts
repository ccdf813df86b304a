import {
  interventionBody,
  interventionOperations,
  interventionSchemas,
} from '@svc/core/contract/interventions.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangePlatformStandingDeps,
  changePlatformStanding,
} from '../../services/operator/changePlatformStanding.ts'
import { type ListPlatformsDeps, listPlatforms } from '../../services/operator/listSubjects.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { searchSchema } from '../border/searchSchema.ts'
import { operation } from '../operation.ts'
import { interveningOf } from './interveningOf.ts'

const querySchema = z.object({
  search: searchSchema.optional(),
  status: interventionSchemas.platformStatus.optional(),
})

/** Source: docs/decisions/0070. */
export const getAdminPlatforms = operation({
  summary:
    'Lists the recognised assistant platforms to an operator, with their provisional agents. `search` is part of a name or an identifier.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: interventionOperations['GET /api/admin/platforms'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { operator: ListPlatformsDeps }) => async (call) => {
    const { search, status } = parseInput(querySchema, Object.fromEntries(call.query))
    const page = readPage(call.query)
    return { body: writePage(await listPlatforms(parts.operator, { search, status, page })) }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminPlatformWithdraw = operation({
  summary:
    'Withdraws the agent of a platform: its requests are those of an unrecognised caller until it is restored.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/platforms/:id/withdraw'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangePlatformStandingDeps }) => async (call) => {
    const changed = await changePlatformStanding(parts.operator, 'withdraw', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminPlatformRestore = operation({
  summary: 'Restores the agent of a withdrawn platform, whose requests are recognised again.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/platforms/:id/restore'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangePlatformStandingDeps }) => async (call) => {
    const changed = await changePlatformStanding(parts.operator, 'restore', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})
