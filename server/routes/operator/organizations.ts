import {
  interventionBody,
  interventionOperations,
  interventionSchemas,
} from '@svc/core/contract/interventions.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeOrganizationStandingDeps,
  changeOrganizationStanding,
} from '../../services/operator/changeOrganizationStanding.ts'
import { listAllOrganizations } from '../../services/operator/listSubjects.ts'
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
export const getAdminOrganizations = operation({
  summary:
    'Lists all organisations to an operator, newest first. `search` is an identifier or the beginning of a name.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: interventionOperations['GET /api/admin/organizations'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { operator: Parameters<typeof listAllOrganizations>[0] }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { search, status } = parseInput(querySchema, Object.fromEntries(call.query))
    const page = readTimedPage(call.query)
    const found = await listAllOrganizations(parts.operator, { principal, search, status, ...page })
    return { body: writePage(found) }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminOrganizationSuspend = operation({
  summary:
    'Suspends an organisation, whose owners and admins are told the reason: its API keys are refused, nobody can change anything of it, its endpoints admit nobody and its agents are not active.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/organizations/:id/suspend'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangeOrganizationStandingDeps }) => async (call) => {
    const changed = await changeOrganizationStanding(parts.operator, 'suspend', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})

/** Source: docs/decisions/0070. */
export const postAdminOrganizationResume = operation({
  summary: 'Ends the suspension of an organisation, whose owners and admins are told the reason.',
  body: interventionBody,
  answer: interventionOperations['POST /api/admin/organizations/:id/resume'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { operator: ChangeOrganizationStandingDeps }) => async (call) => {
    const changed = await changeOrganizationStanding(parts.operator, 'resume', interveningOf(call))
    return { body: { success: true, ...changed } }
  },
})
