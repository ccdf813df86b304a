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
  /** The requesting session; null if nobody is signed in. */
  sessionId: string | null
  now: number
}

const LIFETIME_MS = 5 * 60 * 1000
/** Maximum open challenges per purpose and session, which is the number of tabs that can wait for a response. */
const OPEN_MAX = 5

/** Issues a challenge of 256 random bits for one purpose, valid once and for five minutes. */
export async function openChallenge(
  deps: OpenChallengeDeps,
  { purpose, sessionId, now }: OpenChallengeInput,
): Promise<Uint8Array> {
  const challenge = deps.randomBytes(32)
  const value = Buffer.from(challenge).toString('base64url')
  await deps.transaction(
    (trx) =>
      deps.challenges.insert(
        trx,
        { value, purpose, sessionId, expiresAt: now + LIFETIME_MS },
        OPEN_MAX - 1,
        now,
      ),
    sessionId === null ? [] : [`account ${sessionId}`],
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
  /** The responding session, which must be the one that requested the challenge. */
  sessionId: string | null
  now: number
}

/**
 * Consumes the challenge of a response, whatever becomes of the response; null if it is not open.
 *
 * The response itself names the challenge: the verification that follows proves that it was signed.
 */
export async function takeChallenge(
  deps: TakeChallengeDeps,
  input: TakeChallengeInput,
): Promise<Uint8Array | null> {
  return (await takeDatedChallenge(deps, input))?.challenge ?? null
}

/** `takeChallenge`, and when the challenge was issued. */
export async function takeDatedChallenge(
  deps: TakeChallengeDeps,
  { response, purpose, sessionId, now }: TakeChallengeInput,
): Promise<{ challenge: Uint8Array; issuedAt: number } | null> {
  const challenge = deps.ceremonies.challengeOf(response)
  if (!challenge) return null
  const value = Buffer.from(challenge).toString('base64url')
  const expiresAt = await deps.transaction(
    (trx) => deps.challenges.take(trx, { value, purpose, sessionId }, now),
    [],
  )
  return expiresAt === null ? null : { challenge, issuedAt: expiresAt - LIFETIME_MS }
}
