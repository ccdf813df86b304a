import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { encodeDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { siteOf } from '@svc/core/url/ipAddress.ts'
import { apiError } from '../../errors.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type MailTokenDeps, mailToken } from '../signIn/mailToken.ts'
import { type AttemptCounter, refuseAttempt } from './createAttemptCounter.ts'
import { type GrantSessionDeps, grantSession } from './grantSession.ts'
import { type OpenSessionDeps, openSession } from './openSession.ts'

type Trx = Parameters<Parameters<Db['transaction']>[0]>[0]

export type CreateAccountDeps = MailTokenDeps & {
  users: Pick<UserStore, 'insert'>
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  /** Registrations with a taken address, by peer address. */
  attempts: { taken: AttemptCounter }
  /** Registrations by peer address. @throws ApiError RATE_LIMITED. */
  signUps: { take(caller: string, now: number): unknown }
  randomBytes: (length: number) => Uint8Array
}

/** What a person states about the account to open. */
export type NewAccount = {
  /** Lower case. */
  email: string
  fullName: string
  accountType: User['accountType']
}

export type CreateAccountInput = NewAccount & {
  /** UUIDv7. */
  id: string
  /** Null for an account that another credential opens. */
  passwordHash: string | null
  /** Stores that credential in the transaction of the account. */
  addCredential?: (trx: Trx) => Promise<void>
  /** The methods with which the account is opened. Source: RFC 8176. */
  amr: string[]
  ip: string
  client: SessionClient
  now: number
}

/**
 * Creates an account, signs it in and mails a token that verifies the address.
 *
 * The response must reveal that an address is taken, because it otherwise contains a session; a peer address may therefore
 * learn it ten times an hour and is then locked out of registration for a while.
 *
 * @throws ApiError EMAIL_TAKEN, RATE_LIMITED.
 */
export async function createAccount(
  deps: CreateAccountDeps,
  { id, passwordHash, addCredential, amr, ip, client, now, ...stated }: CreateAccountInput,
): Promise<SessionGrant> {
  const { email, fullName, accountType } = stated
  const user: User = {
    id,
    developerId: encodeDeveloperIdentifier(deps.randomBytes(16)),
    email,
    emailVerifiedAt: null,
    fullName,
    accountType,
    role: 'user',
    kydVerifiedAt: null,
    createdAt: now,
  }
  const created = await deps.transaction(async (trx) => {
    if (!(await deps.users.insert(trx, user, passwordHash))) {
      return { taken: await deps.attempts.taken.count(trx, siteOf(ip), now) }
    }
    await addCredential?.(trx)
    await mailToken(deps, trx, { purpose: 'verify_email', email, now, isKnown: true })
    return openSession(deps.session, trx, { user, amr, client, now })
  })
  if ('taken' in created) {
    refuseAttempt(created.taken)
    throw apiError('EMAIL_TAKEN')
  }
  deps.post.wake()
  return grantSession(deps.session, { user, ...created, now })
}

/**
 * Refuses a peer address that has opened too many accounts, each of which sends a mail to an unverified address, or that
 * has asked too often for taken ones.
 *
 * @throws ApiError RATE_LIMITED.
 */
export async function admitSignUp(
  deps: Pick<CreateAccountDeps, 'attempts' | 'signUps' | 'transaction'>,
  ip: string,
  now: number,
): Promise<void> {
  refuseAttempt(await deps.transaction((trx) => deps.attempts.taken.look(trx, siteOf(ip), now)))
  await deps.signUps.take(ip, now)
}
