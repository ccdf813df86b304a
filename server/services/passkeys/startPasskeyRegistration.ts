import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import type { Passkey, PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { requireFreshProof } from '../requireFreshProof.ts'
import { type OpenChallengeDeps, openChallenge } from './openChallenge.ts'

export type StartPasskeyRegistrationDeps = OpenChallengeDeps & {
  ceremonies: Pick<PasskeyCeremonies, 'registrationOptions'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  users: Pick<UserStore, 'byId'>
}

/** Options for `navigator.credentials.create`, as JSON. Source: WebAuthn 3 §5.4. */
export type RegistrationOptions = Awaited<ReturnType<PasskeyCeremonies['registrationOptions']>>

/**
 * Creates the options to add a passkey to the signed-in account.
 *
 * It needs a fresh proof, so that a stolen session cannot establish itself, not even where there is no passkey yet.
 *
 * @throws ApiError ELEVATION_REQUIRED, INVALID_STATE if it has too many.
 */
export async function startPasskeyRegistration(
  deps: StartPasskeyRegistrationDeps,
  { principal, now }: { principal: SessionPrincipal; now: number },
): Promise<RegistrationOptions> {
  const { userId, sessionId } = principal
  await requireFreshProof(deps, principal, now)
  const registered = await deps.passkeys.ofUser(userId)
  checkPasskeyRoom(principal, registered)
  const user = await deps.users.byId(userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  const challenge = await openChallenge(deps, { purpose: 'passkey_registration', sessionId, now })
  const name = user.email ?? user.developerId
  return deps.ceremonies.registrationOptions({
    user: { id: userId, name, displayName: user.fullName ?? name },
    challenge,
    registered,
  })
}

const PASSKEYS_MAX = 20

/**
 * Requires that an account may add a passkey: the first needs only the challenge, which is issued upon a fresh proof, each
 * further one an assertion of an existing one.
 *
 * @throws ApiError ELEVATION_REQUIRED, INVALID_STATE.
 */
export function checkPasskeyRoom(principal: SessionPrincipal, present: readonly Passkey[]): void {
  if (present.length > 0) requireElevation(principal)
  if (present.length < PASSKEYS_MAX) return
  throw apiError('INVALID_STATE', { message: `An account has at most ${PASSKEYS_MAX} passkeys.` })
}
