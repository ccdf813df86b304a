import { apiError } from '../../errors.ts'
import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'

export type RequireAnotherSignInDeps = {
  users: Pick<UserStore, 'passwordHashOf' | 'addressesOf'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  identities: Pick<LinkedIdentityStore, 'ofUser'>
}

/**
 * Requires that an account keeps a way to sign in after one is removed.
 *
 * A mailbox that could reset the password does not count.
 *
 * @throws ApiError INVALID_STATE.
 */
export async function requireAnotherSignIn(
  { users, passkeys, identities }: RequireAnotherSignInDeps,
  trx: NonNullable<Parameters<UserStore['addressesOf']>[1]>,
  userId: string,
): Promise<void> {
  const ways =
    ((await users.passwordHashOf(userId, trx)) === null ? 0 : 1) +
    (await passkeys.ofUser(userId, trx)).length +
    (await users.addressesOf(userId, trx)).length +
    (await identities.ofUser(userId, trx)).length
  if (ways > 1) return
  throw apiError('INVALID_STATE', {
    message: 'Nothing else signs in to the account: set a password or add a passkey first.',
  })
}
