import { z } from 'zod'
import { accountOperations } from './accounts.ts'
import { pageAnswer, success } from './envelope.ts'

/** A redirect has an empty body. */
const redirect = z.literal('')

const way = z.literal(true)

const identity = z.object({
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  email: z.string().nullable(),
  linkedAt: z.string(),
})

/** An identity at a provider that is linked to an account. */
export type LinkedIdentity = z.output<typeof identity>

export const postAuthOauthExchangeBody = z.object({ code: z.string().min(1).max(200) })

/** Request and response schemas of the operations, by method and path. */
export const oauthOperations = {
  'GET /api/auth/methods': {
    answer: success({
      /** E-mail address or URL of whoever helps a person who cannot sign in; null if none is configured. */
      supportContact: z.string().nullable(),
      /** Former hosts of the service, as of its start: passkeys that were created there work only there. */
      formerPasskeyHosts: z.array(z.string()),
      methods: z.object({
        password: way,
        passkey: way,
        siwe: way,
        oauth: z.array(z.object({ provider: z.string(), name: z.string() })),
      }),
    }),
  },
  'GET /api/auth/oauth/identities': { answer: pageAnswer(identity) },
  'DELETE /api/auth/oauth/identities/:id': { answer: success({ id: z.string() }) },
  'POST /api/auth/oauth/exchange': {
    body: postAuthOauthExchangeBody,
    answer: accountOperations['POST /api/auth/login'].answer,
  },
  'GET /api/auth/oauth/:provider': { answer: redirect },
  'GET /api/auth/oauth/:provider/callback': { answer: redirect },
  'POST /api/auth/oauth/:provider/link': { answer: success({ url: z.string() }) },
} as const
