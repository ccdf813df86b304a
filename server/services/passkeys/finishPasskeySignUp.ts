import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { PasskeyCeremonies, RegistrationResponse } from '../../external/passkeyCeremonies.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import {
  admitSignUp,
  type CreateAccountDeps,
  createAccount,
  type NewAccount,
} from '../accounts/createAccount.ts'
import { type TakeChallengeDeps, takeDatedChallenge } from './openChallenge.ts'
import { PASSKEY_AMR } from './signInByPasskey.ts'
import { userIdOfSignUp } from './startPasskeySignUp.ts'

export type FinishPasskeySignUpDeps = TakeChallengeDeps &
  CreateAccountDeps & {
    ceremonies: Pick<PasskeyCeremonies, 'verifyRegistration'>
    passkeys: Pick<PasskeyStore, 'insert'>
    /** Called when the inputs of the trust score have changed for an account. */
    onAccountChanged(userId: string): Promise<void>
  }

export type FinishPasskeySignUpInput = NewAccount & {
  response: RegistrationResponse
  /** The name of the passkey. */
  name: string
  ip: string
  client: SessionClient
  now: number
}

/**
 * Opens an account with a passkey and without a password. Whoever loses the passkey sets a password by e-mail, as others
 * reset theirs.
 *
 * @throws ApiError PASSKEY_REJECTED, INVALID_STATE for a known passkey, EMAIL_TAKEN, RATE_LIMITED. Source: WebAuthn 3 §7.1.
 */
export async function finishPasskeySignUp(
  deps: FinishPasskeySignUpDeps,
  { response, name, ...input }: FinishPasskeySignUpInput,
): Promise<SessionGrant> {
  const { now } = input
  await admitSignUp(deps, input.ip, now)
  const taken = await takeDatedChallenge(deps, { response, purpose: 'passkey_sign_up', sessionId: null, now })
  if (!taken) throw apiError('PASSKEY_REJECTED', { detail: 'no such challenge is open' })
  const verdict = await deps.ceremonies.verifyRegistration({ response, challenge: taken.challenge })
  if (!verdict.ok) throw apiError('PASSKEY_REJECTED', { detail: verdict.reason })
  const userId = userIdOfSignUp(taken.challenge, taken.issuedAt)
  const id = generateUuidV7(now, deps.randomBytes(10))
  const passkey = { ...verdict.facts, id, userId, name, createdAt: now, lastUsedAt: null }
  const granted = await createAccount(deps, {
    ...input,
    id: userId,
    passwordHash: null,
    async addCredential(trx) {
      if (await deps.passkeys.insert(trx, passkey)) return
      throw apiError('INVALID_STATE', { message: 'This passkey is already registered.' })
    },
    amr: PASSKEY_AMR,
  })
  await deps.onAccountChanged(userId)
  return granted
}
