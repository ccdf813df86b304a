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
  /** Whose passkey it must be; null to find out who signs in. */
  userId: string | null
  response: AssertionResponse
  /** Bytes that the authenticator must have signed. */
  expectedChallenge: Uint8Array
  /** Epoch milliseconds. */
  now: number
}

/** `reason` is for the log only: a caller learns no more than that the assertion is not good. */
type CheckedAssertion = { ok: true; passkey: Passkey } | { ok: false; reason: string }

/**
 * Finds the passkey of an assertion, verifies the assertion and remembers its counter.
 *
 * A sign-in must name its account itself (`userHandle`), and whoever names one must name the passkey's.
 * Source: WebAuthn 3 §7.2 steps 6, 22.
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
  const { counter, isBackedUp } = verdict.facts
  const isFirst = await deps.transaction((trx) =>
    deps.passkeys.use(trx, { id: passkey.id, counter, isBackedUp, usedAt: now }),
  )
  if (!isFirst) return { ok: false, reason: `passkey ${passkey.id}: deleted or used meanwhile` }
  return { ok: true, passkey: { ...passkey, counter, isBackedUp, lastUsedAt: now } }
}

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
export async function createAssertionOptions(
  deps: AssertionOptionsDeps,
  { userId, challenge }: AssertionOptionsInput,
): Promise<AssertionOptions | null> {
  const allowed = await deps.passkeys.ofUser(userId)
  return allowed.length === 0 ? null : deps.ceremonies.assertionOptions({ challenge, allowed })
}
