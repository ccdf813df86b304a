import { z } from 'zod'
import type { Operation } from './operation.ts'

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
