import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ name: accountSchemas.name })

/** Source: api.md "Accounts". */
export const postOrganizations: Operation = {
  summary: 'Creates an organisation, whose first owner is the caller.',
  body,
  status: 201,
  answer: z.object({
    success: z.literal(true),
    organizationId: z.string(),
    organization: accountSchemas.organization,
  }),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { name } = parseInput(body, call.body)
    const principal = callerOf(call, 'session')
    const organization = await services.accounts.createOrganization({ principal, name, now: call.now })
    const { organizationId } = organization
    return { status: 201, body: { success: true, organizationId, organization } }
  },
}
