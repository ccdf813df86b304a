import { apiError } from '../../errors.ts'
import type { AssertionResponse, PasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import type { Passkey, PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { Db } from '../../store/database/database.ts'

export type CheckAssertionDeps = {
  ceremonies: Pick<PasskeyCeremonies, 'verifyAssertion'>
  passkeys: Pick<PasskeyStore, 'byCredentialId' | 'use'>
  transaction: Db['transaction']
}

export type CheckAssertionInput = {
  /** The expected user; null for a sign-in. */
  userId: string | null
  response: AssertionResponse
  /** The bytes that the authenticator must have signed. */
  expectedChallenge: Uint8Array
  /** Epoch milliseconds. */
  now: number
}

/** `reason` is only logged: callers merely learn that the assertion is invalid. */
type CheckedAssertion = { ok: true; passkey: Passkey } | { ok: false; reason: string }

/**
 * Finds the passkey of an assertion, verifies the assertion and stores its counter.
 *
 * A sign-in must identify its account (`userHandle`), and an identified account must own the passkey. Source: WebAuthn 3
 * §7.2 steps 6, 22.
 */
export async function checkAssertion(
  deps: CheckAssertionDeps,
  input: CheckAssertionInput,
): Promise<CheckedAssertion> {
  const { userId, response, expectedChallenge, now } = input
  const passkey = await deps.passkeys.byCredentialId(response.id)
  if (!passkey) return { ok: false, reason: 'unknown credential' }
  const { userHandle } = response.response
  const named = userHandle === undefined ? userId : Buffer.from(userHandle, 'base64url').toString()
  if (passkey.userId !== named || (userId !== null && userId !== named)) {
    return { ok: false, reason: `passkey ${passkey.id} belongs to another account` }
  }
  const verdict = await deps.ceremonies.verifyAssertion({
    response,
    challenge: expectedChallenge,
    credential: passkey,
  })
  if (!verdict.ok) return { ok: false, reason: `passkey ${passkey.id}: ${verdict.reason}` }
  const { counter, isBackedUp, rpId } = verdict.facts
  const isFirst = await deps.transaction(
    (trx) => deps.passkeys.use(trx, { id: passkey.id, counter, isBackedUp, rpId, usedAt: now }),
    [],
  )
  if (!isFirst) return { ok: false, reason: `passkey ${passkey.id}: deleted or used meanwhile` }
  return { ok: true, passkey: { ...passkey, counter, isBackedUp, rpId, lastUsedAt: now } }
}

export type VerifyAssertionInput = CheckAssertionInput & { userId: string }

/**
 * Verifies that an account's owner has just approved, with a passkey, what a challenge stands for.
 *
 * The counter is stored before this returns. An authenticator without a counter can send an assertion twice, so anything
 * that must happen once depends on the challenge, which the caller consumes or binds to a state.
 *
 * @throws ApiError PASSKEY_REJECTED; the reason is logged.
 */
export async function verifyAssertion(
  deps: CheckAssertionDeps,
  input: VerifyAssertionInput,
): Promise<Passkey> {
  const checked = await checkAssertion(deps, input)
  if (!checked.ok) throw apiError('PASSKEY_REJECTED', { detail: checked.reason })
  return checked.passkey
}

export type AssertionOptionsDeps = {
  ceremonies: Pick<PasskeyCeremonies, 'assertionOptions'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
}

export type AssertionOptionsInput = {
  userId: string
  /** The bytes to sign. */
  challenge: Uint8Array
}

/** Options for `navigator.credentials.get`, as JSON. Source: WebAuthn 3 §5.5. */
export type AssertionOptions = Awaited<ReturnType<PasskeyCeremonies['assertionOptions']>>

/** Creates the options with which an account's owner approves a challenge; null if the account has no passkey. */
export async function createAssertionOptions(
  deps: AssertionOptionsDeps,
  { userId, challenge }: AssertionOptionsInput,
): Promise<AssertionOptions | null> {
  const allowed = await deps.passkeys.ofUser(userId)
  return allowed.length === 0 ? null : deps.ceremonies.assertionOptions({ challenge, allowed })
}
