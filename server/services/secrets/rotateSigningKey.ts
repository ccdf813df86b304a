import type { PrivateJwk, RingKey } from '../../external/keys/keyRing.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { Db } from '../../store/database/database.ts'
import type { SigningKeyStore, StoredSigningKey } from '../../store/secrets/signingKeyStore.ts'
import { sealContexts } from './sealedValues.ts'
import { LEAD_MINUTES, SIGNING_KEYS, type SigningPurpose } from './signingKeys.ts'

export type RotateSigningKeyDeps = {
  keys: SigningKeyStore
  secrets: Pick<SecretBox, 'seal'>
  generate(curve: PrivateJwk['crv'], times: Pick<RingKey, 'signsFrom' | 'formerUntil'>): RingKey
  transaction: Db['transaction']
}

export type RotateSigningKeyInput = {
  purpose: SigningPurpose
  /** How long the new key is published before it signs. */
  leadMs: number
  /** Whether somebody else has the former key: it and all before it are then accepted no longer than it signs. */
  isStolen: boolean
  /** Epoch milliseconds. */
  now: number
}

export type SigningKeyTimes = Pick<StoredSigningKey, 'kid' | 'signsFrom' | 'formerUntil'>

const MINUTE_MS = 60_000

/**
 * Publishes a new key, which signs after `leadMs`, within the bounds of `LEAD_MINUTES`. The former one stays published until
 * what it signed has expired. If it is stolen, all former ones end when the new key signs, because it is often not known
 * which of them was copied; if the new key is cancelled, they do not.
 *
 * @throws Error with a message for the operator while another key is published that does not sign yet.
 */
export async function rotateSigningKey(
  { keys, secrets, generate, transaction }: RotateSigningKeyDeps,
  { purpose, leadMs, isStolen, now }: RotateSigningKeyInput,
): Promise<SigningKeyTimes> {
  const { curve, overlapMs } = SIGNING_KEYS[purpose]
  const bounded = Math.min(Math.max(leadMs, LEAD_MINUTES.least * MINUTE_MS), LEAD_MINUTES.most * MINUTE_MS)
  const signsFrom = now + bounded
  const formerUntil = signsFrom + (isStolen ? 0 : overlapMs)
  const { kid, jwk } = generate(curve, { signsFrom, formerUntil })
  return transaction(async (trx) => {
    const pending = findPending(await keys.list(trx), purpose, now)
    if (pending) {
      const since = new Date(pending.signsFrom).toISOString()
      throw new Error(
        `The next key of ${purpose}, ${pending.kid}, is published already and signs from ${since}: withdraw it with ` +
          '--cancel, or wait until it signs.',
      )
    }
    const sealed = secrets.seal(JSON.stringify(jwk), sealContexts.signingKey(purpose, kid))
    await keys.insert(trx, { kid, purpose, sealed, signsFrom, formerUntil })
    return { kid, signsFrom, formerUntil }
  })
}

/** Withdraws a key that is published and does not sign yet; null if there is none. */
export async function cancelSigningKey(
  { keys, transaction }: Pick<RotateSigningKeyDeps, 'keys' | 'transaction'>,
  { purpose, now }: Pick<RotateSigningKeyInput, 'purpose' | 'now'>,
): Promise<SigningKeyTimes | null> {
  return transaction(async (trx) => {
    const pending = findPending(await keys.list(trx), purpose, now)
    if (pending) await keys.remove(trx, pending.kid)
    return pending ?? null
  })
}

function findPending(
  stored: readonly StoredSigningKey[],
  purpose: SigningPurpose,
  now: number,
): StoredSigningKey | undefined {
  return stored.find((key) => key.purpose === purpose && key.signsFrom > now)
}
