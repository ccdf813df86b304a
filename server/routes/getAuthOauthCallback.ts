import { oauthCookie } from './oauthCookie.ts'
import { oauthRedirect } from './oauthRedirect.ts'
import type { Operation } from './operation.ts'

const KEPT_SECONDS = 60

/** Source: api.md "Accounts"; OpenID Connect Core 1.0 §3.1.2.5. */
export const getAuthOauthCallback: Operation = {
  summary:
    'Takes the browser back from an identity provider and sends it to the page with a code, or with what is wrong.',
  status: 302,
  mediaType: oauthRedirect.mediaType,
  answer: oauthRedirect.answer,
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { appUrl } = services.oauth
    const provider = call.params.provider ?? ''
    const sealed = oauthCookie.read(appUrl, call)
    const end = await services.oauth.finish({ provider, query: call.query, sealed, now: call.now })
    if ('code' in end) {
      const kept = oauthCookie.write(appUrl, end.binding, KEPT_SECONDS)
      return oauthRedirect.toPage(appUrl, { code: end.code }, kept)
    }
    const told: Record<string, string> = 'linked' in end ? { linked: end.linked } : { error: end.fault }
    // Another tab's sign-in keeps what it has.
    const isOther = 'fault' in end && end.fault === 'state_mismatch'
    return oauthRedirect.toPage(appUrl, told, isOther ? {} : oauthCookie.write(appUrl, '', 0))
  },
}
