import type {
  AssertionResponse,
  PasskeyCeremonies,
  RegistrationResponse,
} from '../../external/passkeyCeremonies.ts'
import type { ChallengePurpose, ChallengeStore } from '../../store/agents/challengeStore.ts'
import type { Db } from '../../store/database/database.ts'

export type OpenChallengeDeps = {
  challenges: Pick<ChallengeStore, 'insert'>
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type OpenChallengeInput = {
  purpose: ChallengePurpose
  /** Session that asks; null when nobody is signed in. */
  sessionId: string | null
  now: number
}

const LIFETIME_MS = 5 * 60 * 1000
/** Challenges of one purpose that a session may have open: as many tabs may wait for an answer. */
const OPEN_MAX = 5

/** Hands out a challenge of 256 random bits: for one purpose, once, for five minutes. */
export async function openChallenge(
  deps: OpenChallengeDeps,
  { purpose, sessionId, now }: OpenChallengeInput,
): Promise<Uint8Array> {
  const challenge = deps.randomBytes(32)
  const value = Buffer.from(challenge).toString('base64url')
  await deps.transaction((trx) =>
    deps.challenges.insert(
      trx,
      { value, purpose, sessionId, expiresAt: now + LIFETIME_MS },
      OPEN_MAX - 1,
      now,
    ),
  )
  return challenge
}

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
