import { encodeDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from './refuseSuspended.ts'

export type EnsureWalletAccountDeps = RefuseSuspendedDeps & {
  users: UserStore
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

type Trx = Parameters<UserStore['insertWallet']>[0]

export type EnsureWalletAccountInput = {
  /** The transaction to take part in; by default, its own. */
  trx?: Trx
  address: `0x${string}`
  now: number
}

/**
 * Returns the account of a signing key, creating it when the key is first seen.
 *
 * Transactions run one after another, so two simultaneous first requests of a key get the same account.
 *
 * @throws ApiError ACCOUNT_SUSPENDED: the key signs in to, and registers for, an account that an operator has suspended.
 * Source: docs/agents.md.
 */
export async function ensureWalletAccount(
  deps: EnsureWalletAccountDeps,
  input: EnsureWalletAccountInput,
): Promise<User> {
  const { trx } = input
  return trx ? findOrCreate(deps, trx, input) : deps.transaction((own) => findOrCreate(deps, own, input))
}

async function findOrCreate(
  deps: EnsureWalletAccountDeps,
  trx: Trx,
  { address, now }: EnsureWalletAccountInput,
): Promise<User> {
  const known = await deps.users.byWallet(trx, address)
  if (known) {
    await refuseSuspended(deps, trx, known)
    return known
  }
  const user: User = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    developerId: encodeDeveloperIdentifier(deps.randomBytes(16)),
    email: null,
    emailVerifiedAt: null,
    fullName: null,
    accountType: 'individual',
    role: 'user',
    kydVerifiedAt: null,
    createdAt: now,
  }
  await deps.users.insert(trx, user, null)
  await deps.users.insertWallet(trx, { address, userId: user.id, createdAt: now })
  return user
}
