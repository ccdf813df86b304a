import { apiError } from '../../errors.ts'
import type { ChallengeStore } from '../../store/agents/challengeStore.ts'

export type TakeSiweNonceDeps = { challenges: Pick<ChallengeStore, 'take'> }

/**
 * Uses a message's nonce up, in the transaction of what the message is good for.
 *
 * @throws ApiError nonce_reused.
 */
export async function takeSiweNonce(
  deps: TakeSiweNonceDeps,
  trx: Parameters<ChallengeStore['take']>[0],
  nonce: string,
  now: number,
): Promise<void> {
  if (await deps.challenges.take(trx, { value: nonce, purpose: 'siwe', sessionId: null }, now)) return
  throw apiError('nonce_reused', {
    message: 'The nonce was used, is too old or was not given out here; ask for a new one.',
  })
}
