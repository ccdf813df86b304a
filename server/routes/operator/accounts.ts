import {
  interventionBody,
  interventionOperations,
  interventionSchemas,
} from '@svc/core/contract/interventions.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeAccountStandingDeps,
  changeAccountStanding,
} from '../../services/operator/changeAccountStanding.ts'
import { listAccounts } from '../../services/operator/listSubjects.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readTimedPage, writePage } from '../border/pagination.ts'
import { searchSchema } from '../border/searchSchema.ts'
import { operation } from '../operation.ts'
import { interveningOf } from './interveningOf.ts'

const querySchema = z.object({
  search: searchSchema.optional(),
  status: interventionSchemas.standing.optional(),
})

/** Source: docs/decisions/0070. */
export const getAdminAccounts = operation({
  summary:
    'Lists all accounts to an operator, newest first. `search` is an identifier, a wallet address, or the beginning of a name or an e-mail address.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: interventionOperations['GET /api/admin/accounts'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { operator: Parameters<typeof listAccounts>[0] }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { search, status } = parseInput(querySchema, Object.fromEntries(call.query))
    const page = readTimedPage(call.query)
    return { body: writePage(await listAccounts(parts.operator, { principal, search, status, ...page })) }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminAccountSuspend = operation({
  summary:
    'Suspends an account, whose owner is told the reason: it is signed out, cannot sign in, its API keys are refused and its agents are not active.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/accounts/:id/suspend'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangeAccountStandingDeps }) => async (call) => {
    const changed = await changeAccountStanding(parts.operator, 'suspend', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminAccountResume = operation({
  summary: 'Ends the suspension of an account, whose owner is told the reason.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/accounts/:id/resume'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangeAccountStandingDeps }) => async (call) => {
    const changed = await changeAccountStanding(parts.operator, 'resume', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})
