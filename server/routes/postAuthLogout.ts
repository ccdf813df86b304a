import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({ refreshToken: accountSchemas.refreshToken })

/** Source: api.md "Accounts". */
export const postAuthLogout: Operation = {
  summary: 'Ends the session of a refresh token, with all its tokens.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const { refreshToken } = parseInput(body, call.body)
    await services.accounts.logOut({ refreshToken, now: call.now })
    return { body: { success: true } }
  },
}
