import { z } from 'zod'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const getMe: Operation = {
  summary:
    'Shows the signed-in account: identifier, organisations, wallets, verified identity and the number of its passkeys.',
  answer: z.object({
    success: z.literal(true),
    user: accountSchemas.user,
    organizations: z.array(accountSchemas.organization),
    wallets: z.array(z.string()),
    kyd: kydSchemas.state,
    passkeyCount: z.number(),
    totp: z.object({ isOn: z.boolean(), recoveryCodesLeft: z.number() }),
  }),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: { success: true, ...(await services.accounts.readAccount({ principal, now: call.now })) } }
  },
}
