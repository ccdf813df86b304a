import { apiError } from '../../errors.ts'
import type { ChallengeStore } from '../../store/agents/challengeStore.ts'
import type { Db } from '../../store/database/database.ts'
import { generateHex } from '../generateHex.ts'

export type GiveSiweNonceDeps = {
  challenges: Pick<ChallengeStore, 'insert'>
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

const LIFETIME_MS = 5 * 60 * 1000

/**
 * Issues a nonce for one EIP-4361 message, valid for five minutes: 128 random bits as letters and digits.
 *
 * It is tied to no session, because the page may not know yet whether the wallet signs in or is linked.
 */
export async function giveSiweNonce(deps: GiveSiweNonceDeps, { now }: { now: number }): Promise<string> {
  const value = generateHex(deps.randomBytes, 16)
  const challenge = { value, purpose: 'siwe' as const, sessionId: null, expiresAt: now + LIFETIME_MS }
  await deps.transaction((trx) => deps.challenges.insert(trx, challenge, 0, now), [])
  return value
}

export type TakeSiweNonceDeps = { challenges: Pick<ChallengeStore, 'take'> }

/**
 * Consumes the nonce of a message in the transaction that the message authorises.
 *
 * @throws ApiError nonce_reused.
 */
export async function takeSiweNonce(
  deps: TakeSiweNonceDeps,
  trx: Parameters<ChallengeStore['take']>[0],
  nonce: string,
  now: number,
): Promise<void> {
  const taken = await deps.challenges.take(trx, { value: nonce, purpose: 'siwe', sessionId: null }, now)
  if (taken !== null) return
  throw apiError('nonce_reused', {
    message: 'The nonce was used, is too old or was not given out here; ask for a new one.',
  })
}
