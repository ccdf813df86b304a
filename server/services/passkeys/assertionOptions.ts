import type { PasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'

export type AssertionOptionsDeps = {
  ceremonies: Pick<PasskeyCeremonies, 'assertionOptions'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
}

export type AssertionOptionsInput = {
  userId: string
  /** Bytes to be signed. */
  challenge: Uint8Array
}

/** Options for `navigator.credentials.get`, as JSON. Source: WebAuthn 3 §5.5. */
export type AssertionOptions = Awaited<ReturnType<PasskeyCeremonies['assertionOptions']>>

/** What the browser needs to let an account's owner agree to a challenge; null when the account has no passkey. */
export async function assertionOptions(
  deps: AssertionOptionsDeps,
  { userId, challenge }: AssertionOptionsInput,
): Promise<AssertionOptions | null> {
  const allowed = await deps.passkeys.ofUser(userId)
  return allowed.length === 0 ? null : deps.ceremonies.assertionOptions({ challenge, allowed })
}
