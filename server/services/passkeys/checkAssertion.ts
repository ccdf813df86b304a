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
