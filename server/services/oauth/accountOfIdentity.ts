import { encodeDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { ProviderIdentity } from '../../external/outbound/identityProvider.ts'
import type { LinkedIdentity, LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import { type MailTokenDeps, mailToken } from '../signIn/mailToken.ts'
import { classifyAddress } from './classifyAddress.ts'
import { type LinkIdentityDeps, linkIdentity } from './linkIdentity.ts'

export type AccountOfIdentityDeps = LinkIdentityDeps &
  MailTokenDeps & {
    users: Pick<UserStore, 'insert' | 'byEmail' | 'byId'>
    identities: Pick<LinkedIdentityStore, 'bySubject'>
    /** Limits mails to unproven addresses, as for sign-ups by password. */
    signUps: { take(ip: string, now: number): unknown }
  }

export type AccountOfIdentityInput = { provider: string; told: ProviderIdentity; ip: string; now: number }

/** The account that signs in, or why it does not. `changed` is an account that was created or linked by this sign-in. */
export type AccountOfIdentity =
  | { identity: LinkedIdentity; changed: string | null }
  | { fault: 'email_unverified' | 'account_exists' | 'too_many' }

type Trx = Parameters<UserStore['insert']>[0]

/**
 * Finds the account of an identity: the one it is linked to, otherwise a new one with its address. If the provider does not
 * prove the address, it is unproven in the account too, and gets a mail to confirm it.
 *
 * An existing account with the address gets the identity only if its own address is verified and the provider operates that
 * mailbox. Otherwise one of the two may belong to someone else: a person who opened the account with a stranger's address,
 * or a former holder of the address.
 *
 * @throws ApiError RATE_LIMITED.
 */
export async function accountOfIdentity(
  deps: AccountOfIdentityDeps,
  trx: Trx,
  { provider, told, ip, now }: AccountOfIdentityInput,
): Promise<AccountOfIdentity> {
  const { issuer, subject } = told
  const known = await deps.identities.bySubject(trx, { provider, issuer, subject })
  if (known) return { identity: known, changed: null }
  const email = addressOf(told)
  const standing = email === null ? 'denied' : classifyAddress(provider, email, told.claims)
  if (email === null || standing === 'denied') return { fault: 'email_unverified' }
  const present = await deps.users.byEmail(email, trx)
  if (present && (present.emailVerifiedAt === null || standing !== 'authoritative')) {
    return { fault: 'account_exists' }
  }
  const isProven = standing !== 'unproven'
  const user = present ?? createUserRow(deps, { email, isProven, fullName: nameOf(told), now })
  if (!present) await deps.users.insert(trx, user, null)
  if (!isProven) {
    await deps.signUps.take(ip, now)
    await mailToken(deps, trx, { purpose: 'verify_email', email, now, isKnown: true })
  }
  const linked = await linkIdentity(deps, trx, { user, provider, told, now, isNotified: present !== null })
  if ('fault' in linked) return { fault: 'too_many' }
  return { identity: linked, changed: user.id }
}

/** The address in lower case, as stored; null if an account cannot have it. */
function addressOf({ email }: ProviderIdentity): string | null {
  const address = email?.trim().toLowerCase() ?? ''
  return address.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(address)
    ? address
    : null
}

function nameOf({ fullName }: ProviderIdentity): string | null {
  const name = (fullName ?? '').replace(/\p{Cc}/gu, ' ').trim()
  // A lone surrogate at the end is the remainder of the truncation, not part of the name.
  return name === '' || !name.isWellFormed() ? null : name.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '')
}

type NewUser = { email: string; isProven: boolean; fullName: string | null; now: number }

function createUserRow(
  { randomBytes }: Pick<AccountOfIdentityDeps, 'randomBytes'>,
  { email, isProven, fullName, now }: NewUser,
): User {
  return {
    id: generateUuidV7(now, randomBytes(10)),
    developerId: encodeDeveloperIdentifier(randomBytes(16)),
    email,
    emailVerifiedAt: isProven ? now : null,
    fullName,
    accountType: 'individual',
    role: 'user',
    kydVerifiedAt: null,
    createdAt: now,
  }
}
