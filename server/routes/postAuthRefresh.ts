import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { clientOf } from './clientOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ refreshToken: accountSchemas.refreshToken })

/** Source: api.md "Accounts". */
export const postAuthRefresh: Operation = {
  summary:
    'Gives a new access token and the next refresh token; a refresh token used twice ends the session.',
  body,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (services) => async (call) => {
    const { refreshToken } = parseInput(body, call.body)
    const data = await services.accounts.refresh({ refreshToken, client: clientOf(call), now: call.now })
    return { body: { success: true, data } }
  },
}
