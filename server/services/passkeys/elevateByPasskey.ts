import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { ElevationTokens } from '../../external/tokens/elevationTokens.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type CheckAssertionDeps, verifyAssertion } from './checkAssertion.ts'
import { type TakeChallengeDeps, takeChallenge } from './openChallenge.ts'

export type ElevateByPasskeyDeps = TakeChallengeDeps &
  CheckAssertionDeps & {
    elevations: Pick<ElevationTokens, 'sign' | 'lifetimeSeconds'>
    randomBytes: (length: number) => Uint8Array
  }

export type ElevateByPasskeyInput = { principal: SessionPrincipal; response: AssertionResponse; now: number }

/** For header `X-Svc-Elevation`. */
export type Elevation = {
  elevationToken: string
  /** Seconds. */
  expiresIn: number
}

/**
 * Elevates the caller's session for five minutes by a passkey of its account, and no longer than the account has it.
 *
 * @throws ApiError PASSKEY_REJECTED.
 */
export async function elevateByPasskey(
  deps: ElevateByPasskeyDeps,
  { principal, response, now }: ElevateByPasskeyInput,
): Promise<Elevation> {
  const { userId, sessionId } = principal
  const challenge = await takeChallenge(deps, { response, purpose: 'passkey_elevation', sessionId, now })
  if (!challenge) throw apiError('PASSKEY_REJECTED', { detail: 'no such challenge is open' })
  const passkey = await verifyAssertion(deps, { userId, response, expectedChallenge: challenge, now })
  const tokenId = generateUuidV4(deps.randomBytes(16))
  return {
    elevationToken: await deps.elevations.sign({ userId, sessionId, passkeyId: passkey.id, tokenId }, now),
    expiresIn: deps.elevations.lifetimeSeconds,
  }
}
