import { z } from 'zod'
import { apiError } from '../errors.ts'
import { callerOf } from './callerOf.ts'
import { oauthCookie } from './oauthCookie.ts'
import type { Operation } from './operation.ts'

const KEPT_SECONDS = 10 * 60

/** Source: api.md "Accounts". */
export const postAuthOauthLink: Operation = {
  summary: 'Answers where this browser goes to link an identity at a provider to the account.',
  answer: z.object({ success: z.literal(true), url: z.string() }),
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const provider = call.params.provider ?? ''
    const { url, sealed } = await services.oauth.start({ provider, principal, now: call.now })
    if (url === null) {
      throw apiError('SERVICE_UNAVAILABLE', {
        message: 'The identity provider does not answer; try again later.',
        headers: { 'Retry-After': '10' },
      })
    }
    const headers = oauthCookie.write(services.oauth.appUrl, sealed, KEPT_SECONDS)
    return { headers, body: { success: true, url } }
  },
}
