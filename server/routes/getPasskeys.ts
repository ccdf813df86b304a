import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { pageAnswer, writePage } from './pagination.ts'
import { passkeySchemas } from './passkeySchemas.ts'

/** Source: api.md "Accounts". */
export const getPasskeys: Operation = {
  summary: 'Lists the passkeys of the account.',
  answer: pageAnswer(passkeySchemas.passkey),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.passkeys.list({ principal })) }
  },
}
