import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import { refuseWeakPassword } from '../signIn/replacePassword.ts'
import { admitSignUp, type CreateAccountDeps, createAccount, type NewAccount } from './createAccount.ts'

export type RegisterAccountDeps = CreateAccountDeps & { passwords: Pick<PasswordHasher, 'hash'> }

export type RegisterAccountInput = NewAccount & {
  password: string
  ip: string
  client: SessionClient
  now: number
}

/**
 * Opens an account with a password.
 *
 * @throws ApiError VALIDATION_ERROR for a password that is easy to guess, EMAIL_TAKEN, RATE_LIMITED.
 */
export async function registerAccount(
  deps: RegisterAccountDeps,
  { password, ...input }: RegisterAccountInput,
): Promise<SessionGrant> {
  refuseWeakPassword(password, input)
  await admitSignUp(deps, input.ip, input.now)
  const passwordHash = await deps.passwords.hash(password)
  const id = generateUuidV7(input.now, deps.randomBytes(10))
  return createAccount(deps, { ...input, id, passwordHash, amr: ['pwd'] })
}
