import type { User as AccountView, DataExport, Organization } from '@svc/core/contract/accounts.ts'
import type { Kyd } from '@svc/core/contract/kyd.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import { apiError } from '../../errors.ts'
import type { KydStore } from '../../store/accounts/kydStore.ts'
import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'
import type { ExportStore, DataExport as StoredExport } from '../../store/personal/exportStore.ts'
import { toExportView } from '../export/toExportView.ts'
import { toKydView } from '../kyd/readKyd.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toOrganizationView } from './organizations/listOrganizations.ts'

export type ReadAccountDeps = {
  users: UserStore
  organizations: OrganizationStore
  passkeys: Pick<PasskeyStore, 'ofUser'>
  totp: Pick<TotpStore, 'of' | 'countRecoveryCodes'>
  kyd: Pick<KydStore, 'latestOf'>
  erasures: Pick<ErasureStore, 'of'>
  exports: Pick<ExportStore, 'of'>
}

/** The signed-in account with its organisations and sign-in methods. */
export type OwnAccount = {
  user: AccountView
  organizations: Organization[]
  /** Addresses, in lower case. */
  wallets: string[]
  /** State of the identity verification. */
  kyd: Kyd
  passkeyCount: number
  /** Whether password sign-in requires a code of an authenticator app, and the number of unused recovery codes. */
  totp: { isOn: boolean; recoveryCodesLeft: number }
  /** ISO 8601; null unless the owner has asked for the erasure. */
  erasureAt: string | null
  /** Null if there is none, or it has expired. */
  dataExport: DataExport | null
}

/** Maximum organisations in the response; the list of organisations has the rest. */
const ORGANIZATIONS_MAX = 100

/**
 * Returns the signed-in account with its organisations, invitations included, its wallets and the number of its passkeys.
 */
export async function readAccount(
  deps: ReadAccountDeps,
  input: { principal: SessionPrincipal; now: number },
): Promise<OwnAccount> {
  const { userId } = input.principal
  const user = await deps.users.byId(userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  const organizations = await deps.organizations.ofUser(userId, {
    now: input.now,
    before: null,
    limit: ORGANIZATIONS_MAX,
  })
  const erasure = await deps.erasures.of(userId)
  const dataExport = await deps.exports.of(userId)
  const isOn = (await deps.totp.of(userId))?.confirmedAt != null
  return {
    user: toAccountView(user),
    organizations: organizations.map(toOrganizationView),
    wallets: await deps.users.addressesOf(userId),
    kyd: toKydView(await deps.kyd.latestOf(userId), user.kydVerifiedAt),
    passkeyCount: (await deps.passkeys.ofUser(userId)).length,
    totp: {
      isOn,
      recoveryCodesLeft: isOn ? await deps.totp.countRecoveryCodes(userId) : 0,
    },
    erasureAt: erasure === null ? null : toIsoTime(erasure.eraseAt),
    dataExport: dataExport === null || isExpired(dataExport, input.now) ? null : toExportView(dataExport),
  }
}

function isExpired({ expiresAt }: Pick<StoredExport, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Shows an account to its owner, without anything that would help to guess a password or key. */
export function toAccountView(user: User): AccountView {
  const { id, developerId, email, fullName, accountType, role } = user
  return {
    id,
    developerId,
    email,
    isEmailVerified: user.emailVerifiedAt !== null,
    fullName,
    accountType,
    role,
    kydStatus: user.kydVerifiedAt === null ? 'none' : 'verified',
    createdAt: toIsoTime(user.createdAt),
  }
}
