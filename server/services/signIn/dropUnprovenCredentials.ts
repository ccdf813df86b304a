import type { ApiKeyStore } from '../../store/accounts/apiKeyStore.ts'
import type { KydStore } from '../../store/accounts/kydStore.ts'
import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'

export type DropUnprovenCredentialsDeps = {
  users: Pick<UserStore, 'deleteWalletsOf'>
  totp: Pick<TotpStore, 'remove'>
  passkeys: Pick<PasskeyStore, 'deleteOfUser'>
  identities: Pick<LinkedIdentityStore, 'deleteOfUser'>
  apiKeys: Pick<ApiKeyStore, 'revokeOfUser'>
  kyd: Pick<KydStore, 'withdraw'>
}

const REASON =
  'The address of the account was proven after this was handed in, maybe by somebody else; hand it in anew.'

/**
 * Takes from an account whatever signs in to it or acts for it, and the mark of a verified identity: until its address is
 * proven, whoever opened it may be a stranger to the address, and would come back by any of these.
 *
 * Wallets go as well: a wallet proves its key and not whose account it ought to open. What the account owns stays.
 *
 * @returns hashes of the API keys that were revoked, which the caches have to forget after the commit.
 * Source: Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022.
 */
export async function dropUnprovenCredentials(
  deps: DropUnprovenCredentialsDeps,
  trx: Parameters<TotpStore['remove']>[0],
  { userId, now }: { userId: string; now: number },
): Promise<string[]> {
  await deps.totp.remove(trx, userId)
  await deps.passkeys.deleteOfUser(trx, userId)
  await deps.identities.deleteOfUser(trx, userId)
  await deps.users.deleteWalletsOf(trx, userId)
  await deps.kyd.withdraw(trx, userId, { reason: REASON, decidedAt: now })
  const revoked = await deps.apiKeys.revokeOfUser(trx, userId, now)
  return revoked.map(({ keyHash }) => keyHash)
}
