import type { KeyRing } from '../../external/keys/keyRing.ts'
import type { Db } from '../../store/database/database.ts'
import type { SigningKeyStore } from '../../store/secrets/signingKeyStore.ts'
import type { SigningPurpose } from './signingKeys.ts'

export type WithdrawSigningKeyDeps = {
  keys: Pick<SigningKeyStore, 'setFormerUntil'>
  ring: Pick<KeyRing, 'all' | 'signing' | 'acceptedUntil'>
  transaction: Db['transaction']
}

/**
 * Ends a former key at once: processes no longer publish it, and no longer accept what it signed, as soon as they have read
 * the keys again. The other keys stay as they are.
 *
 * @throws Error with a message for the operator if there is no such key, if it is not a former one, or if it has ended.
 */
export async function withdrawSigningKey(
  { keys, ring, transaction }: WithdrawSigningKeyDeps,
  { purpose, kid, now }: { purpose: SigningPurpose; kid: string; now: number },
): Promise<void> {
  const all = ring.all()
  const place = all.findIndex((key) => key.kid === kid)
  const [key, successor] = all.slice(place).slice(0, 2)
  if (place < 0 || key === undefined)
    throw new Error(`There is no key ${kid} of ${purpose}: --list names them.`)
  if (key.signsFrom > now)
    throw new Error(`The key ${kid} of ${purpose} does not sign yet: withdraw it with --cancel.`)
  if (successor === undefined || kid === ring.signing(now).kid)
    throw new Error(`The key ${kid} of ${purpose} is the one that signs: replace it with --stolen --in 2.`)
  const end = ring.acceptedUntil(kid)
  if (end <= now)
    throw new Error(
      `The key ${kid} of ${purpose} has not been accepted since ${new Date(end).toISOString()}.`,
    )
  // At the very time from which its successor signs, the keys before this one would end with it.
  const until = Math.max(now, successor.signsFrom + 1)
  await transaction((trx) => keys.setFormerUntil(trx, successor.kid, until))
}
