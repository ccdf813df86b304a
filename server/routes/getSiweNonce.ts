import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts"; EIP-4361. */
export const getSiweNonce: Operation = {
  summary: 'Gives a nonce for an EIP-4361 message: good once, for five minutes.',
  answer: z.object({ success: z.literal(true), nonce: z.string() }),
  errors: [],
  handle: (services) => async (call) => ({
    headers: { 'Cache-Control': 'no-store' },
    body: { success: true, nonce: await services.wallets.giveNonce({ now: call.now }) },
  }),
}
