import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type AssertionOptions, type AssertionOptionsDeps, createAssertionOptions } from './checkAssertion.ts'
import { type OpenChallengeDeps, openChallenge } from './openChallenge.ts'

export type StartPasskeyAuthenticationDeps = OpenChallengeDeps &
  AssertionOptionsDeps & { ceremonies: Pick<PasskeyCeremonies, 'assertionOptions'> }

/**
 * Creates the options to sign in with a passkey or, for a signed-in user, to prove it again.
 *
 * Options for a sign-in list no credentials: the authenticator shows its own, so that nobody learns who has an account.
 *
 * @param input.principal Null if nobody is signed in.
 * @throws ApiError INVALID_STATE for an account without a passkey.
 */
export async function startPasskeyAuthentication(
  deps: StartPasskeyAuthenticationDeps,
  { principal, now }: { principal: SessionPrincipal | null; now: number },
): Promise<AssertionOptions> {
  if (!principal) {
    const challenge = await openChallenge(deps, { purpose: 'passkey_sign_in', sessionId: null, now })
    return deps.ceremonies.assertionOptions({ challenge })
  }
  const { userId, sessionId } = principal
  const challenge = await openChallenge(deps, { purpose: 'passkey_elevation', sessionId, now })
  const options = await createAssertionOptions(deps, { userId, challenge })
  if (!options) throw apiError('INVALID_STATE', { message: 'The account has no passkey yet.' })
  return options
}
