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
  'This was submitted before the email address of the account was verified, possibly by somebody else. Please submit it again.'

/**
 * Removes everything that signs in to an account or acts for it, and the mark of a verified identity. Until the address is
 * verified, the person who opened the account may be a stranger to it and could return through any of these.
 *
 * Wallets are removed too: a wallet proves its key, not which account it should open. What the account owns stays.
 *
 * @returns Hashes of the revoked API keys, which the caches must drop after the commit. Source: Sudhodanan and Paverd,
 * "Pre-hijacked accounts", USENIX Security 2022.
 */
export async function dropUnprovenCredentials(
  deps: DropUnprovenCredentialsDeps,
  trx: Parameters<TotpStore['remove']>[0],
  { userId, now }: { userId: string; now: number },
): Promise<string[]> {
  await deps.totp.remove(trx, userId)
  await deps.passkeys.deleteOfUser(trx, userId)
  await deps.identities.deleteOfUser(trx, userId)
  await deps.users.deleteWalletsOf(trx, userId, now)
  await deps.kyd.withdraw(trx, userId, { reason: REASON, decidedAt: now })
  const revoked = await deps.apiKeys.revokeOfUser(trx, userId, now)
  return revoked.map(({ keyHash }) => keyHash)
}
