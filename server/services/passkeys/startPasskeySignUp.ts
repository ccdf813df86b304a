import { sha256 } from '@svc/core/hash.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { siteOf } from '@svc/core/url/ipAddress.ts'
import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { CreateAccountDeps } from '../accounts/createAccount.ts'
import { refuseAttempt } from '../accounts/createAttemptCounter.ts'
import { type OpenChallengeDeps, openChallenge } from './openChallenge.ts'
import type { RegistrationOptions } from './startPasskeyRegistration.ts'

export type StartPasskeySignUpDeps = OpenChallengeDeps &
  Pick<CreateAccountDeps, 'attempts'> & {
    ceremonies: Pick<PasskeyCeremonies, 'registrationOptions'>
    users: Pick<UserStore, 'byEmail'>
  }

export type StartPasskeySignUpInput = {
  /** Lower case. */
  email: string
  fullName: string
  ip: string
  now: number
}

/**
 * Creates the options for the passkey that opens an account.
 *
 * A taken address is refused before the browser creates a passkey that would open nothing. It counts as it does when the
 * account is created.
 *
 * @throws ApiError EMAIL_TAKEN, RATE_LIMITED.
 */
export async function startPasskeySignUp(
  deps: StartPasskeySignUpDeps,
  { email, fullName, ip, now }: StartPasskeySignUpInput,
): Promise<RegistrationOptions> {
  const { taken } = deps.attempts
  const counted = await deps.transaction(async (trx) => {
    const looked = await taken.look(trx, siteOf(ip), now)
    if (!looked.isAllowed) return looked
    return (await deps.users.byEmail(email, trx)) ? taken.count(trx, siteOf(ip), now) : null
  })
  if (counted !== null) {
    refuseAttempt(counted)
    throw apiError('EMAIL_TAKEN')
  }
  const challenge = await openChallenge(deps, { purpose: 'passkey_sign_up', sessionId: null, now })
  const id = userIdOfSignUp(challenge, now)
  return deps.ceremonies.registrationOptions({
    user: { id, name: email, displayName: fullName },
    challenge,
    registered: [],
  })
}

/**
 * The id of the account that a sign-up opens, which its passkey stores as well.
 *
 * Derived from the challenge, which the service chooses and accepts once, so that nothing has to be stored for an account
 * that may never be opened.
 */
export function userIdOfSignUp(challenge: Uint8Array, issuedAt: number): string {
  const label = `SVC-PASSKEY-SIGN-UP-V1\n${Buffer.from(challenge).toString('base64url')}`
  return generateUuidV7(issuedAt, sha256(label).slice(0, 10))
}
