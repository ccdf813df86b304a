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
