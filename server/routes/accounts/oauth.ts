import { oauthOperations, oauthRedirect, postAuthOauthExchangeBody } from '@svc/core/contract/oauth.ts'
import { apiError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ExchangeHandOverDeps, exchangeHandOver } from '../../services/oauth/exchangeHandOver.ts'
import { type FinishOauthDeps, finishOauth } from '../../services/oauth/finishOauth.ts'
import {
  type ListLinkedIdentitiesDeps,
  listLinkedIdentities,
} from '../../services/oauth/listLinkedIdentities.ts'
import type { OauthProviders } from '../../services/oauth/oauthProviders.ts'
import { type StartOauthDeps, startOauth } from '../../services/oauth/startOauth.ts'
import { type UnlinkIdentityDeps, unlinkIdentity } from '../../services/oauth/unlinkIdentity.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** The prefix lets a browser take it from this very site alone, and by HTTPS. Source: RFC 6265bis §4.1.3.2. */
const nameAt = (appUrl: string) => (appUrl.startsWith('https:') ? '__Host-svc_oauth' : 'svc_oauth')

/**
 * The one cookie of the interface: what a browser keeps from leaving for an identity provider until it has a session.
 *
 * It is no credential: it opens nothing without the code or state that only the way through the provider gives. Lax,
 * because the way back from the provider is a navigation from another site.
 */
const oauthCookie = {
  /** @param seconds How long it is kept; 0 takes it away. */
  write(appUrl: string, value: string, seconds: number): Record<string, string> {
    const secure = appUrl.startsWith('https:') ? '; Secure' : ''
    const cookie = `${nameAt(appUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
    return { 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer' }
  },

  read(appUrl: string, call: Call): string | null {
    const prefix = `${nameAt(appUrl)}=`
    const pairs = (call.header('cookie') ?? '').split(';').map((pair) => pair.trim())
    return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? null
  },
} as const

/** The ways to sign in that need no provider. */
const OWN_METHODS = { password: true, passkey: true, siwe: true } as const

/** Source: api.md "Accounts". */
export const getAuthMethods = operation({
  summary: 'Tells the ways to sign in, and the identity providers that are configured.',
  answer: oauthOperations['GET /api/auth/methods'].answer,
  errors: [],
  handle: (parts: { accounts: { providers: OauthProviders } }) => () => {
    const { byName } = parts.accounts.providers
    const oauth = Array.from(byName, ([provider, { name }]) => ({ provider, name }))
    return { body: { success: true, methods: { ...OWN_METHODS, oauth } } }
  },
})

/** Source: api.md "Accounts". */
export const getAuthOauthIdentities = operation({
  summary: 'Lists the identities at other providers that sign in to the account.',
  answer: oauthOperations['GET /api/auth/oauth/identities'].answer,
  errors: [],
  handle: (parts: { accounts: ListLinkedIdentitiesDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await listLinkedIdentities(parts.accounts, { principal })) }
  },
})

/** Source: api.md "Accounts". */
export const deleteAuthOauthIdentity = operation({
  summary: 'Takes an identity from the account, unless nothing else signs in to it, and ends what it opened.',
  answer: oauthOperations['DELETE /api/auth/oauth/identities/:id'].answer,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: UnlinkIdentityDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await unlinkIdentity(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})

/** Source: api.md "Accounts". */
export const postAuthOauthExchange = operation({
  summary:
    'Gives the session of a sign-in at an identity provider for the code on its page, as a login does.',
  body: oauthOperations['POST /api/auth/oauth/exchange'].body,
  answer: oauthOperations['POST /api/auth/oauth/exchange'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'UNAUTHENTICATED'],
  handle: (parts: { accounts: ExchangeHandOverDeps & { providers: OauthProviders } }) => async (call) => {
    const { code } = parseInput(postAuthOauthExchangeBody, call.body)
    const { appUrl } = parts.accounts.providers
    const binding = oauthCookie.read(appUrl, call)
    const data = await exchangeHandOver(parts.accounts, {
      code,
      binding,
      client: clientOf(call),
      now: call.now,
    })
    return {
      headers: oauthCookie.write(appUrl, '', 0),
      body: 'mfaRequired' in data ? { success: true, ...data } : { success: true, data },
    }
  },
})

const GET_AUTH_OAUTH_KEPT_SECONDS = 10 * 60

/** Source: api.md "Accounts"; OpenID Connect Core 1.0 §3.1.2.1. */
export const getAuthOauth = operation({
  summary: 'Sends the browser to an identity provider (OpenID Connect code flow with PKCE) to sign in.',
  status: 302,
  mediaType: oauthRedirect.mediaType,
  answer: oauthOperations['GET /api/auth/oauth/:provider'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: StartOauthDeps }) => async (call) => {
    const { appUrl } = parts.accounts.providers
    const provider = call.params.provider ?? ''
    const { url, sealed } = await startOauth(parts.accounts, { provider, principal: null, now: call.now })
    if (url === null) return oauthRedirect.toPage(appUrl, { error: 'provider_unavailable' }, {})
    return oauthRedirect.to(url, oauthCookie.write(appUrl, sealed, GET_AUTH_OAUTH_KEPT_SECONDS))
  },
})

const GET_AUTH_OAUTH_CALLBACK_KEPT_SECONDS = 60

/** Source: api.md "Accounts"; OpenID Connect Core 1.0 §3.1.2.5. */
export const getAuthOauthCallback = operation({
  summary:
    'Takes the browser back from an identity provider and sends it to the page with a code, or with what is wrong.',
  status: 302,
  mediaType: oauthRedirect.mediaType,
  answer: oauthOperations['GET /api/auth/oauth/:provider/callback'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: FinishOauthDeps }) => async (call) => {
    const { appUrl } = parts.accounts.providers
    const provider = call.params.provider ?? ''
    const sealed = oauthCookie.read(appUrl, call)
    const end = await finishOauth(parts.accounts, { provider, query: call.query, sealed, now: call.now })
    if ('code' in end) {
      const kept = oauthCookie.write(appUrl, end.binding, GET_AUTH_OAUTH_CALLBACK_KEPT_SECONDS)
      return oauthRedirect.toPage(appUrl, { code: end.code }, kept)
    }
    const told: Record<string, string> = 'linked' in end ? { linked: end.linked } : { error: end.fault }
    // Another tab's sign-in keeps what it has.
    const isOther = 'fault' in end && end.fault === 'state_mismatch'
    return oauthRedirect.toPage(appUrl, told, isOther ? {} : oauthCookie.write(appUrl, '', 0))
  },
})

const POST_AUTH_OAUTH_LINK_KEPT_SECONDS = 10 * 60

/** Source: api.md "Accounts". */
export const postAuthOauthLink = operation({
  summary: 'Answers where this browser goes to link an identity at a provider to the account.',
  answer: oauthOperations['POST /api/auth/oauth/:provider/link'].answer,
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { accounts: StartOauthDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const provider = call.params.provider ?? ''
    const { url, sealed } = await startOauth(parts.accounts, { provider, principal, now: call.now })
    if (url === null) {
      throw apiError('SERVICE_UNAVAILABLE', {
        message: 'The identity provider does not answer; try again later.',
        headers: { 'Retry-After': '10' },
      })
    }
    const headers = oauthCookie.write(
      parts.accounts.providers.appUrl,
      sealed,
      POST_AUTH_OAUTH_LINK_KEPT_SECONDS,
    )
    return { headers, body: { success: true, url } }
  },
})
