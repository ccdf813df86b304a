import { z } from 'zod'
import { accountOperations } from './accounts.ts'
import { pageAnswer } from './envelope.ts'

/** A response that redirects the browser. */
export const oauthRedirect = {
  /** The body is empty. */
  answer: z.literal(''),
  mediaType: 'text/plain',

  to(location: string, headers: Record<string, string>) {
    return {
      status: 302,
      headers: { Location: location, ...headers },
      body: '',
      contentType: 'text/plain; charset=utf-8',
    }
  },

  /** Redirects to the dashboard page that completes a sign-in. The result is in the fragment, which reaches no log. */
  toPage(appUrl: string, result: Record<string, string>, headers: Record<string, string>) {
    return oauthRedirect.to(`${appUrl}/sign-in/callback#${new URLSearchParams(result)}`, headers)
  },
} as const

const way = z.literal(true)

const identity = z.object({
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  email: z.string().nullable(),
  linkedAt: z.string(),
})

export const postAuthOauthExchangeBody = z.object({ code: z.string().min(1).max(200) })

/** Request and response schemas of the operations, by method and path. */
export const oauthOperations = {
  'GET /api/auth/methods': {
    answer: z.object({
      success: z.literal(true),
      methods: z.object({
        password: way,
        passkey: way,
        siwe: way,
        oauth: z.array(z.object({ provider: z.string(), name: z.string() })),
      }),
    }),
  },
  'GET /api/auth/oauth/identities': { answer: pageAnswer(identity) },
  'DELETE /api/auth/oauth/identities/:id': { answer: z.object({ success: z.literal(true), id: z.string() }) },
  'POST /api/auth/oauth/exchange': {
    body: postAuthOauthExchangeBody,
    answer: accountOperations['POST /api/auth/login'].answer,
  },
  'GET /api/auth/oauth/:provider': { answer: oauthRedirect.answer },
  'GET /api/auth/oauth/:provider/callback': { answer: oauthRedirect.answer },
  'POST /api/auth/oauth/:provider/link': { answer: z.object({ success: z.literal(true), url: z.string() }) },
} as const
