import { z } from 'zod'
import { accountSchemas } from './accounts.ts'
import { success } from './envelope.ts'

export const postSiweBody = z.object({
  message: z.string().min(1).max(4096),
  /** A contract wallet may accept signatures longer than the 65 bytes of a key's. */
  signature: z
    .string()
    .max(4098)
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'expected bytes as 0x-hex'),
})

/** Request and response schemas of the operations, by method and path. */
export const walletOperations = {
  'GET /api/auth/siwe/nonce': { answer: success({ nonce: z.string() }) },
  'POST /api/auth/siwe': {
    body: postSiweBody,
    answer: z.union([
      accountSchemas.session,
      success({ address: z.string(), movedAgents: z.array(z.string()) }),
    ]),
  },
  'DELETE /api/auth/wallets/:address': { answer: success({ address: z.string() }) },
} as const
