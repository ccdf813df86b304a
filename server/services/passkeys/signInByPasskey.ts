import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import { type GrantSessionDeps, grantSession } from '../accounts/grantSession.ts'
import { type OpenSessionDeps, openSession } from '../accounts/openSession.ts'
import { type CheckAssertionDeps, checkAssertion } from './checkAssertion.ts'
import { type TakeChallengeDeps, takeChallenge } from './openChallenge.ts'

export type SignInByPasskeyDeps = TakeChallengeDeps &
  CheckAssertionDeps & { users: Pick<UserStore, 'byId'>; session: OpenSessionDeps & GrantSessionDeps }

export type SignInByPasskeyInput = { response: AssertionResponse; client: SessionClient; now: number }

/** A key was proven, and its user present and verified: two factors. Source: RFC 8176 §2. */
export const PASSKEY_AMR = ['pop', 'user', 'mfa']

/**
 * Signs in by a discoverable passkey; the assertion itself identifies the user.
 *
 * @throws ApiError UNAUTHENTICATED for any fault, ACCOUNT_SUSPENDED. Source: WebAuthn 3 §7.2.
 */
export async function signInByPasskey(
  deps: SignInByPasskeyDeps,
  { response, client, now }: SignInByPasskeyInput,
): Promise<SessionGrant> {
  const challenge = await takeChallenge(deps, { response, purpose: 'passkey_sign_in', sessionId: null, now })
  if (!challenge) throw refuse('no such challenge is open')
  const checked = await checkAssertion(deps, { userId: null, response, expectedChallenge: challenge, now })
  if (!checked.ok) throw refuse(checked.reason)
  const user = await deps.users.byId(checked.passkey.userId)
  if (!user) throw refuse('the account is gone')
  const { id, credentialId } = checked.passkey
  const opened = await deps.transaction(async (trx) => {
    // Its removal, or a password reset, may have ended all sessions of the passkey since it was checked.
    const kept = await deps.passkeys.byCredentialId(credentialId, trx)
    if (kept?.id !== id) throw refuse(`passkey ${id} was removed meanwhile`)
    return openSession(deps.session, trx, { user, amr: PASSKEY_AMR, client, now })
  })
  return grantSession(deps.session, { user, ...opened, now })
}

function refuse(detail: string) {
  return apiError('UNAUTHENTICATED', { message: 'This passkey is not valid for signing in.', detail })
}
