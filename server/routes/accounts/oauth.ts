import { z } from 'zod'
import { apiError } from '../../errors.ts'
import type { Answer, Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { pageAnswer, writePage } from '../border/pagination.ts'
import type { Operation } from '../operation.ts'
import { postAuthLogin } from './sessions.ts'

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

/** An answer that sends the browser on. */
const oauthRedirect = {
  /** Schema of its body, which is empty. */
  answer: z.literal(''),
  mediaType: 'text/plain',

  to(location: string, headers: Record<string, string>): Answer {
    return {
      status: 302,
      headers: { Location: location, ...headers },
      body: '',
      contentType: 'text/plain; charset=utf-8',
    }
  },

  /** To the page of the dashboard that ends a sign-in; what it is told stands behind the `#`, which no log sees. */
  toPage(appUrl: string, told: Record<string, string>, headers: Record<string, string>): Answer {
    return oauthRedirect.to(`${appUrl}/sign-in/callback#${new URLSearchParams(told)}`, headers)
  },
} as const

const way = z.literal(true)

/** Source: api.md "Accounts". */
export const getAuthMethods: Operation = {
  summary: 'Tells the ways to sign in, and the identity providers that are configured.',
  answer: z.object({
    success: z.literal(true),
    methods: z.object({
      password: way,
      passkey: way,
      siwe: way,
      oauth: z.array(z.object({ provider: z.string(), name: z.string() })),
    }),
  }),
  errors: [],
  handle: (services) => () => ({
    body: {
      success: true,
      methods: { password: true, passkey: true, siwe: true, oauth: services.oauth.methods() },
    },
  }),
}

const identity = z.object({
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  email: z.string().nullable(),
  linkedAt: z.string(),
})

/** Source: api.md "Accounts". */
export const getAuthOauthIdentities: Operation = {
  summary: 'Lists the identities at other providers that sign in to the account.',
  answer: pageAnswer(identity),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.oauth.list({ principal })) }
  },
}

/** Source: api.md "Accounts". */
export const deleteAuthOauthIdentity: Operation = {
  summary: 'Takes an identity from the account, unless nothing else signs in to it, and ends what it opened.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await services.oauth.unlink({ principal, id, now: call.now })
    return { body: { success: true, id } }
  },
}

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

const GET_AUTH_OAUTH_KEPT_SECONDS = 10 * 60

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
    return oauthRedirect.to(url, oauthCookie.write(appUrl, sealed, GET_AUTH_OAUTH_KEPT_SECONDS))
  },
}

const GET_AUTH_OAUTH_CALLBACK_KEPT_SECONDS = 60

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
      const kept = oauthCookie.write(appUrl, end.binding, GET_AUTH_OAUTH_CALLBACK_KEPT_SECONDS)
      return oauthRedirect.toPage(appUrl, { code: end.code }, kept)
    }
    const told: Record<string, string> = 'linked' in end ? { linked: end.linked } : { error: end.fault }
    // Another tab's sign-in keeps what it has.
    const isOther = 'fault' in end && end.fault === 'state_mismatch'
    return oauthRedirect.toPage(appUrl, told, isOther ? {} : oauthCookie.write(appUrl, '', 0))
  },
}

const POST_AUTH_OAUTH_LINK_KEPT_SECONDS = 10 * 60

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
    const headers = oauthCookie.write(services.oauth.appUrl, sealed, POST_AUTH_OAUTH_LINK_KEPT_SECONDS)
    return { headers, body: { success: true, url } }
  },
}
