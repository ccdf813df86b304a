import { type ComposeAccountsDeps, composeAccounts } from '../accounts/composeAccounts.ts'
import { composeKyd } from '../accounts/composeKyd.ts'
import { composeOwnerNotices } from '../accounts/composeOwnerNotices.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'

export type People = Awaited<ReturnType<typeof composePeople>>

/** Composes the accounts, what reaches their owners, and who they are. */
export async function composePeople(
  { db, config, database, signingKeys, ambient }: Base,
  { chain }: Anchoring,
  calls: Pick<ComposeAccountsDeps, 'onAccountChanged' | 'onMembersChanged' | 'onExportRequested'>,
) {
  const { budgetOf, nestedBudgetOf } = database
  const accounts = await composeAccounts({
    db,
    config,
    tokenKeys: signingKeys.rings['access-tokens'],
    randomBytes: ambient.randomBytes,
    verifyContractSignature: chain.verifyContractSignature,
    chainId: async () => (await chain.overview()).chainId,
    budgetOf,
    nestedBudgetOf,
    onMailQueued: () => notices.onMailQueued(),
    onProviderFault: (fault) => ambient.log.warn(fault, 'a sign-in at an identity provider went wrong'),
    ...calls,
  })
  const hosts = accounts.parts.formerPasskeyHosts
  if (hosts.length > 0)
    ambient.log.warn(
      { hosts },
      `passkeys belong to other hosts and do not work at ${config.appUrl}: set APP_URL to the former host, or let their owners sign in another way and add new ones`,
    )
  const notices = composeOwnerNotices({ db, config, passkeys: accounts.passkeys, ambient })
  const { onMailQueued } = notices
  const kyd = composeKyd({
    ...{ db, config, ambient, budgetOf, onMailQueued },
    onAccountChanged: calls.onAccountChanged,
  })
  return { accounts, notices, kyd }
}
