import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies, RegistrationResponse } from '../../external/passkeyCeremonies.ts'
import type { Passkey, PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import { notifyNewSignIn, type Post } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type PasskeyView, toPasskeyView } from './listPasskeys.ts'
import { type TakeChallengeDeps, takeChallenge } from './openChallenge.ts'
import { checkPasskeyRoom } from './startPasskeyRegistration.ts'

export type FinishPasskeyRegistrationDeps = TakeChallengeDeps &
  RequireLiveSessionDeps & {
    ceremonies: Pick<PasskeyCeremonies, 'verifyRegistration'>
    passkeys: Pick<PasskeyStore, 'insert' | 'ofUser'>
    users: Pick<UserStore, 'byId'>
    post: Post
    /** Told when what the trust score asks of an account has changed. */
    onAccountChanged(userId: string): Promise<void>
    randomBytes: (length: number) => Uint8Array
  }

export type FinishPasskeyRegistrationInput = {
  principal: SessionPrincipal
  response: RegistrationResponse
  /** What the owner calls it. */
  name: string
  now: number
}

/**
 * Stores the passkey that the browser has made; the owner is told by mail.
 *
 * @throws ApiError PASSKEY_REJECTED, ELEVATION_REQUIRED, INVALID_STATE for one that is known already.
 * Source: WebAuthn 3 §7.1.
 */
export async function finishPasskeyRegistration(
  deps: FinishPasskeyRegistrationDeps,
  input: FinishPasskeyRegistrationInput,
): Promise<PasskeyView> {
  const { principal, response, name, now } = input
  const { userId, sessionId } = principal
  const purpose = 'passkey_registration'
  const challenge = await takeChallenge(deps, { response, purpose, sessionId, now })
  if (!challenge) throw apiError('PASSKEY_REJECTED', { detail: 'no such challenge is open' })
  const verdict = await deps.ceremonies.verifyRegistration({ response, challenge })
  if (!verdict.ok) throw apiError('PASSKEY_REJECTED', { detail: verdict.reason })
  const passkey: Passkey = {
    ...verdict.facts,
    id: generateUuidV7(now, deps.randomBytes(10)),
    userId,
    name,
    createdAt: now,
    lastUsedAt: null,
  }
  await deps.transaction(async (trx) => {
    await requireLiveSession(deps, trx, principal)
    checkPasskeyRoom(principal, await deps.passkeys.ofUser(userId, trx))
    if (!(await deps.passkeys.insert(trx, passkey))) {
      throw apiError('INVALID_STATE', { message: 'This passkey is registered already.' })
    }
    await notifyNewSignIn(deps, trx, { userId, walletAddress: null, now })
  })
  deps.post.wake()
  await deps.onAccountChanged(userId)
  return toPasskeyView(passkey)
}
