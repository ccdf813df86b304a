import type { Passkey as PasskeyView } from '@svc/core/contract/passkeys.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies, RegistrationResponse } from '../../external/passkeyCeremonies.ts'
import type { Passkey, PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import { notifyNewSignIn, type Post } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toPasskeyView } from './listPasskeys.ts'
import { type TakeChallengeDeps, takeChallenge } from './openChallenge.ts'
import { checkPasskeyRoom } from './startPasskeyRegistration.ts'

export type FinishPasskeyRegistrationDeps = TakeChallengeDeps &
  RequireLiveSessionDeps & {
    ceremonies: Pick<PasskeyCeremonies, 'verifyRegistration'>
    passkeys: Pick<PasskeyStore, 'insert' | 'ofUser'>
    users: Pick<UserStore, 'byId'>
    post: Post
    /** Called when the inputs of the trust score have changed for an account. */
    onAccountChanged(userId: string): Promise<void>
    randomBytes: (length: number) => Uint8Array
  }

export type FinishPasskeyRegistrationInput = {
  principal: SessionPrincipal
  response: RegistrationResponse
  /** The name that the owner chose. */
  name: string
  now: number
}

/**
 * Stores a passkey that the browser created and notifies the owner by mail.
 *
 * @throws ApiError PASSKEY_REJECTED, ELEVATION_REQUIRED, INVALID_STATE for a known passkey. Source: WebAuthn 3 §7.1.
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
      throw apiError('INVALID_STATE', { message: 'This passkey is already registered.' })
    }
    await notifyNewSignIn(deps, trx, { userId, walletAddress: null, now })
  })
  deps.post.wake()
  await deps.onAccountChanged(userId)
  return toPasskeyView(passkey)
}
