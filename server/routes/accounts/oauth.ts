import { oauthOperations, postAuthOauthExchangeBody } from '@svc/core/contract/oauth.ts'
import { apiError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ExchangeHandOverDeps, exchangeHandOver } from '../../services/oauth/exchangeHandOver.ts'
import { type FinishOauthDeps, finishOauth } from '../../services/oauth/finishOauth.ts'
import {
  type ListLinkedIdentitiesDeps,
  listLinkedIdentities,
} from '../../services/oauth/listLinkedIdentities.ts'
import type { OauthProviders } from '../../services/oauth/oauthFlow.ts'
import { type StartOauthDeps, startOauth } from '../../services/oauth/startOauth.ts'
import { type UnlinkIdentityDeps, unlinkIdentity } from '../../services/oauth/unlinkIdentity.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { type HostCookie, readHostCookie, writeHostCookie } from '../border/hostCookie.ts'
import { writePage } from '../border/pagination.ts'
import { answerSession, SESSION_HEADER, type SessionCookieDeps } from '../border/sessionCookie.ts'
import { operation } from '../operation.ts'

/**
 * The cookie that binds the browser to its sign-in from the redirect to the identity provider until the session is issued.
 *
 * It is not a credential: it is useless without the code or state that only the flow through the provider yields. It is
 * `SameSite=Lax` because the provider's redirect is a cross-site navigation.
 */
const oauthCookie = {
  /** @param seconds Its lifetime; 0 deletes it. */
  write: (appUrl: string, value: string, seconds: number) => ({
    'Set-Cookie': writeHostCookie(cookieOf(appUrl), value, seconds),
    'Referrer-Policy': 'no-referrer',
  }),

  read: (appUrl: string, call: Call) => readHostCookie(cookieOf(appUrl), call),
} as const

function cookieOf(appUrl: string): HostCookie {
  return { appUrl, name: 'svc_oauth', sameSite: 'Lax' }
}

const REDIRECT_MEDIA_TYPE = 'text/plain'

/** Redirects the browser. */
function redirectTo(location: string, headers: Record<string, string>) {
  return {
    status: 302,
    headers: { Location: location, ...headers },
    body: '',
    contentType: `${REDIRECT_MEDIA_TYPE}; charset=utf-8`,
  }
}

/** Redirects to the dashboard page that completes a sign-in. The result is in the fragment, which reaches no log. */
function redirectToPage(appUrl: string, result: Record<string, string>, headers: Record<string, string>) {
  return redirectTo(`${appUrl}/sign-in/callback#${new URLSearchParams(result)}`, headers)
}

/** How long a browser may take at the identity provider. */
const FLOW_SECONDS = 10 * 60

/** How long the dashboard may take to exchange the code. */
const EXCHANGE_SECONDS = 60

/** The sign-in methods that need no provider. */
const OWN_METHODS = { password: true, passkey: true, siwe: true } as const

type AuthMethodsParts = {
  providers: OauthProviders
  supportContact: string | null
  formerPasskeyHosts: readonly string[]
}

export const getAuthMethods = operation({
  summary:
    'Lists the sign-in methods and the configured identity providers, and whom to contact if none of them works.',
  answer: oauthOperations['GET /api/auth/methods'].answer,
  errors: [],
  handle: (parts: { accounts: AuthMethodsParts }) => () => {
    const { supportContact, providers, formerPasskeyHosts } = parts.accounts
    const oauth = Array.from(providers.byName, ([provider, { name }]) => ({ provider, name }))
    return { body: { success: true, supportContact, formerPasskeyHosts, methods: { ...OWN_METHODS, oauth } } }
  },
})

export const getAuthOauthIdentities = operation({
  summary: 'Lists the external identities that can sign in to the account.',
  answer: oauthOperations['GET /api/auth/oauth/identities'].answer,
  errors: [],
  handle: (parts: { accounts: ListLinkedIdentitiesDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await listLinkedIdentities(parts.accounts, { principal })) }
  },
})

export const deleteAuthOauthIdentity = operation({
  summary:
    'Unlinks an external identity, unless nothing else signs in to the account, and ends the other sessions that such identities opened.',
  answer: oauthOperations['DELETE /api/auth/oauth/identities/:id'].answer,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: UnlinkIdentityDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await unlinkIdentity(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})

export const postAuthOauthExchange = operation({
  summary:
    'Exchanges the code from a sign-in at an identity provider for a session; the response is that of a login.',
  body: oauthOperations['POST /api/auth/oauth/exchange'].body,
  headers: SESSION_HEADER,
  answer: oauthOperations['POST /api/auth/oauth/exchange'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED'],
  handle: (parts: { accounts: ExchangeHandOverDeps & SessionCookieDeps }) => async (call) => {
    const { code } = parseInput(postAuthOauthExchangeBody, call.body)
    const { appUrl } = parts.accounts
    const binding = oauthCookie.read(appUrl, call)
    const data = await exchangeHandOver(parts.accounts, {
      code,
      binding,
      client: clientOf(call),
      now: call.now,
    })
    const drop = oauthCookie.write(appUrl, '', 0)
    if ('mfaRequired' in data) return { headers: drop, body: { success: true, ...data } }
    const { headers, body } = answerSession(parts.accounts, call, data)
    const cookies = [drop['Set-Cookie'], headers['Set-Cookie'] ?? []].flat()
    return { headers: { ...drop, 'Set-Cookie': cookies }, body }
  },
})

/** Source: OpenID Connect Core 1.0 §3.1.2.1. */
export const getAuthOauth = operation({
  summary: 'Redirects the browser to an identity provider to sign in (OpenID Connect code flow with PKCE).',
  status: 302,
  mediaType: REDIRECT_MEDIA_TYPE,
  answer: oauthOperations['GET /api/auth/oauth/:provider'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: StartOauthDeps }) => async (call) => {
    const { appUrl } = parts.accounts.providers
    const provider = call.params.provider ?? ''
    const { url, sealed } = await startOauth(parts.accounts, { provider, principal: null, now: call.now })
    if (url === null) return redirectToPage(appUrl, { error: 'provider_unavailable' }, {})
    return redirectTo(url, oauthCookie.write(appUrl, sealed, FLOW_SECONDS))
  },
})

/** Source: OpenID Connect Core 1.0 §3.1.2.5. */
export const getAuthOauthCallback = operation({
  summary:
    'Receives the browser from an identity provider and redirects it to the dashboard with the result.',
  status: 302,
  mediaType: REDIRECT_MEDIA_TYPE,
  answer: oauthOperations['GET /api/auth/oauth/:provider/callback'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: FinishOauthDeps }) => async (call) => {
    const { appUrl } = parts.accounts.providers
    const provider = call.params.provider ?? ''
    const sealed = oauthCookie.read(appUrl, call)
    const { query, ip, now } = call
    const end = await finishOauth(parts.accounts, { provider, query, sealed, ip, now })
    if ('code' in end) {
      const headers = oauthCookie.write(appUrl, end.binding, EXCHANGE_SECONDS)
      return redirectToPage(appUrl, { code: end.code }, headers)
    }
    const result: Record<string, string> = 'linked' in end ? { linked: end.linked } : { error: end.fault }
    // On a mismatch the cookie may belong to a sign-in in another tab.
    const isOther = 'fault' in end && end.fault === 'state_mismatch'
    return redirectToPage(appUrl, result, isOther ? {} : oauthCookie.write(appUrl, '', 0))
  },
})

export const postAuthOauthLink = operation({
  summary: 'Returns the URL at which this browser links an external identity to the account.',
  answer: oauthOperations['POST /api/auth/oauth/:provider/link'].answer,
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { accounts: StartOauthDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const provider = call.params.provider ?? ''
    const { url, sealed } = await startOauth(parts.accounts, { provider, principal, now: call.now })
    if (url === null) {
      throw apiError('SERVICE_UNAVAILABLE', {
        message: 'The identity provider is not responding; try again later.',
        headers: { 'Retry-After': '10' },
      })
    }
    const headers = oauthCookie.write(parts.accounts.providers.appUrl, sealed, FLOW_SECONDS)
    return { headers, body: { success: true, url } }
  },
})
