import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: docs/decisions/0008. */
export const deleteWallet: Operation = {
  summary: 'Takes a wallet from the account, unless nothing else signs in to it; its agents stay.',
  answer: z.object({ success: z.literal(true), address: z.string() }),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const address = call.params.address ?? ''
    await services.wallets.unlink({ principal, address, now: call.now })
    return { body: { success: true, address: address.toLowerCase() } }
  },
}
