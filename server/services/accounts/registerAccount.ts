import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { encodeDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type MailTokenDeps, mailToken } from '../signIn/mailToken.ts'
import { refuseWeakPassword } from '../signIn/replacePassword.ts'
import { type AttemptCounter, refuseAttempt } from './createAttemptCounter.ts'
import { type GrantSessionDeps, grantSession } from './grantSession.ts'
import { type OpenSessionDeps, openSession } from './openSession.ts'

export type RegisterAccountDeps = MailTokenDeps & {
  users: Pick<UserStore, 'insert'>
  passwords: Pick<PasswordHasher, 'hash'>
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  /** Registrations with a taken address, by peer address. */
  attempts: { taken: AttemptCounter }
  /** Registrations by peer address. @throws ApiError RATE_LIMITED. */
  signUps: { take(caller: string, now: number): unknown }
  randomBytes: (length: number) => Uint8Array
}

export type RegisterAccountInput = {
  /** Lower case. */
  email: string
  password: string
  fullName: string
  accountType: User['accountType']
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
 * Each registration sends a mail to an unverified address, so registrations per peer address and hour are limited too.
 *
 * @throws ApiError VALIDATION_ERROR for a password that is easy to guess, EMAIL_TAKEN, RATE_LIMITED.
 */
export async function registerAccount(
  deps: RegisterAccountDeps,
  input: RegisterAccountInput,
): Promise<SessionGrant> {
  const { email, fullName, accountType, ip, client, now } = input
  refuseWeakPassword(input.password, input)
  refuseAttempt(await deps.transaction((trx) => deps.attempts.taken.look(trx, ip, now)))
  await deps.signUps.take(ip, now)
  const passwordHash = await deps.passwords.hash(input.password)
  const user: User = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    developerId: encodeDeveloperIdentifier(deps.randomBytes(16)),
    email,
    emailVerifiedAt: null,
    fullName,
    accountType,
    role: 'user',
    kydVerifiedAt: null,
    createdAt: now,
  }
  const registered = await deps.transaction(async (trx) => {
    if (!(await deps.users.insert(trx, user, passwordHash))) {
      return { taken: await deps.attempts.taken.count(trx, ip, now) }
    }
    await mailToken(deps, trx, { purpose: 'verify_email', email, now, isKnown: true })
    return openSession(deps.session, trx, { user, amr: ['pwd'], client, now })
  })
  if ('taken' in registered) {
    refuseAttempt(registered.taken)
    throw apiError('EMAIL_TAKEN')
  }
  deps.post.wake()
  return grantSession(deps.session, { user, ...registered, now })
}
