import type {
  AssertionResponse,
  PasskeyCeremonies,
  RegistrationResponse,
} from '../../external/passkeyCeremonies.ts'
import type { ChallengePurpose, ChallengeStore } from '../../store/agents/challengeStore.ts'
import type { Db } from '../../store/database/database.ts'

export type TakeChallengeDeps = {
  ceremonies: Pick<PasskeyCeremonies, 'challengeOf'>
  challenges: Pick<ChallengeStore, 'take'>
  transaction: Db['transaction']
}

export type TakeChallengeInput = {
  response: RegistrationResponse | AssertionResponse
  purpose: ChallengePurpose
  /** Session that answers; it must be the one that asked. */
  sessionId: string | null
  now: number
}

/**
 * Takes the challenge that a response answers, for good, whatever becomes of the response; null when it is not open.
 *
 * Which challenge it is the response says itself: the verification that follows proves that this one was signed.
 */
export async function takeChallenge(
  deps: TakeChallengeDeps,
  { response, purpose, sessionId, now }: TakeChallengeInput,
): Promise<Uint8Array | null> {
  const challenge = deps.ceremonies.challengeOf(response)
  if (!challenge) return null
  const value = Buffer.from(challenge).toString('base64url')
  const isOpen = await deps.transaction((trx) =>
    deps.challenges.take(trx, { value, purpose, sessionId }, now),
  )
  return isOpen ? challenge : null
}
