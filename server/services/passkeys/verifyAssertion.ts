import { apiError } from '../../errors.ts'
import type { Passkey } from '../../store/accounts/passkeyStore.ts'
import { type CheckAssertionDeps, type CheckAssertionInput, checkAssertion } from './checkAssertion.ts'

export type VerifyAssertionInput = CheckAssertionInput & { userId: string }

/**
 * Verifies that an account's owner has just agreed, with a passkey, to what a challenge stands for.
 *
 * The counter is stored before this answers. An authenticator that does not count can send one assertion twice, so
 * what must happen once hangs on the challenge, which the caller takes away or binds to something with a state.
 *
 * @throws ApiError PASSKEY_REJECTED; the reason goes to the log.
 */
export async function verifyAssertion(
  deps: CheckAssertionDeps,
  input: VerifyAssertionInput,
): Promise<Passkey> {
  const checked = await checkAssertion(deps, input)
  if (!checked.ok) throw apiError('PASSKEY_REJECTED', { detail: checked.reason })
  return checked.passkey
}
