import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { clientOf } from './clientOf.ts'
import { oauthCookie } from './oauthCookie.ts'
import type { Operation } from './operation.ts'
import { postAuthLogin } from './postAuthLogin.ts'

const body = z.object({ code: z.string().min(1).max(200) })

/** Source: api.md "Accounts". */
export const postAuthOauthExchange: Operation = {
  summary:
    'Gives the session of a sign-in at an identity provider for the code on its page, as a login does.',
  body,
  answer: postAuthLogin.answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'UNAUTHENTICATED'],
  handle: (services) => async (call) => {
    const { code } = parseInput(body, call.body)
    const { appUrl } = services.oauth
    const binding = oauthCookie.read(appUrl, call)
    const data = await services.oauth.exchange({ code, binding, client: clientOf(call), now: call.now })
    return {
      headers: oauthCookie.write(appUrl, '', 0),
      body: 'mfaRequired' in data ? { success: true, ...data } : { success: true, data },
    }
  },
}
