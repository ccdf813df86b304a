import { apiError } from '../../errors.ts'
import type { KydStore } from '../../store/accounts/kydStore.ts'
import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import { type KydView, toKydView } from '../kyd/readKyd.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type OrganizationView, toOrganizationView } from './organizations/listOrganizations.ts'

export type ReadAccountDeps = {
  users: UserStore
  organizations: OrganizationStore
  passkeys: Pick<PasskeyStore, 'ofUser'>
  totp: Pick<TotpStore, 'of' | 'countRecoveryCodes'>
  kyd: Pick<KydStore, 'latestOf'>
}

/** The signed-in account, what it belongs to and what opens it. */
export type OwnAccount = {
  user: AccountView
  organizations: OrganizationView[]
  /** Addresses, in lower case. */
  wallets: string[]
  /** Where the verification of its identity stands. */
  kyd: KydView
  passkeyCount: number
  /** Whether signing in by password asks for a code of an app, and how many recovery codes are left. */
  totp: { isOn: boolean; recoveryCodesLeft: number }
}

/** Organisations shown with the account; the rest is in the list of organisations. */
const ORGANIZATIONS_MAX = 100

/**
 * The signed-in account, the organisations it is in, invitations too, its wallets and how many passkeys it has.
 *
 * Source: api.md `GET /api/me`.
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
  }
}

/** An account as its owner sees it. */
export type AccountView = {
  id: string
  developerId: string
  email: string | null
  isEmailVerified: boolean
  fullName: string | null
  accountType: 'individual' | 'business'
  role: 'user' | 'operator'
  kydStatus: 'none' | 'verified'
  createdAt: string
}

/** Shows an account to its owner; nothing that a password or key could be guessed from. */
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
    createdAt: new Date(user.createdAt).toISOString(),
  }
}
