import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database.ts'
import type { InterimSignInStore } from '../../store/interimSignInStore.ts'
import type { LinkedIdentityStore } from '../../store/linkedIdentityStore.ts'
import type { PasskeyStore } from '../../store/passkeyStore.ts'
import type { UserStore } from '../../store/userStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'

export type UnlinkIdentityDeps = {
  identities: Pick<LinkedIdentityStore, 'ofUser' | 'delete'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  users: Pick<UserStore, 'passwordHashOf' | 'addressesOf'>
  interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
  transaction: Db['transaction']
}

export type UnlinkIdentityInput = { principal: SessionPrincipal; id: string }

type Trx = Parameters<LinkedIdentityStore['delete']>[0]

/**
 * Takes an identity from the caller's account; with a fresh passkey where there is one, as it was linked.
 *
 * The last way to sign in stays: a password, passkey, wallet or other identity has to be left. A mailbox from which the
 * password could be set anew is not counted.
 *
 * @throws ApiError NOT_FOUND, INVALID_STATE, ELEVATION_REQUIRED.
 */
export async function unlinkIdentity(
  deps: UnlinkIdentityDeps,
  { principal, id }: UnlinkIdentityInput,
): Promise<void> {
  const { userId } = principal
  await deps.transaction(async (trx) => {
    const present = await deps.identities.ofUser(userId, trx)
    if (!present.some((identity) => identity.id === id)) throw apiError('NOT_FOUND')
    const passkeys = await deps.passkeys.ofUser(userId, trx)
    if (passkeys.length > 0) requireElevation(principal)
    if (passkeys.length === 0 && present.length === 1 && !(await hasAnother(deps, trx, userId))) {
      throw apiError('INVALID_STATE', {
        message: 'Nothing else signs in to the account: set a password or add a passkey first.',
      })
    }
    await deps.interimSignIns.deleteOfUser(trx, userId)
    await deps.identities.delete(trx, userId, id)
  })
}

async function hasAnother({ users }: UnlinkIdentityDeps, trx: Trx, userId: string): Promise<boolean> {
  if ((await users.passwordHashOf(userId, trx)) !== null) return true
  return (await users.addressesOf(userId, trx)).length > 0
}
