import { oauthCookie } from './oauthCookie.ts'
import { oauthRedirect } from './oauthRedirect.ts'
import type { Operation } from './operation.ts'

const KEPT_SECONDS = 10 * 60

/** Source: api.md "Accounts"; OpenID Connect Core 1.0 §3.1.2.1. */
export const getAuthOauth: Operation = {
  summary: 'Sends the browser to an identity provider (OpenID Connect code flow with PKCE) to sign in.',
  status: 302,
  mediaType: oauthRedirect.mediaType,
  answer: oauthRedirect.answer,
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { appUrl } = services.oauth
    const provider = call.params.provider ?? ''
    const { url, sealed } = await services.oauth.start({ provider, principal: null, now: call.now })
    if (url === null) return oauthRedirect.toPage(appUrl, { error: 'provider_unavailable' }, {})
    return oauthRedirect.to(url, oauthCookie.write(appUrl, sealed, KEPT_SECONDS))
  },
}
