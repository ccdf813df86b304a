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
import { type GrantSessionDeps, grantSession, type SessionGrant } from './grantSession.ts'
import { type OpenSessionDeps, openSession } from './openSession.ts'

export type RegisterAccountDeps = MailTokenDeps & {
  users: Pick<UserStore, 'insert'>
  passwords: Pick<PasswordHasher, 'hash'>
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  /** Registrations that found the address taken, by address of the peer. */
  attempts: { taken: AttemptCounter }
  /** Registrations by address of the peer. @throws ApiError RATE_LIMITED. */
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
 * Creates an account, signs it in and mails a token that proves the address.
 *
 * That an address is taken has to be said, because the answer is a session; so it is said ten times an hour to one
 * address of a peer, and then nobody registers from there for a while.
 *
 * Each registration mails to an address that nobody has proved, so that an address of a peer has so many an hour.
 *
 * @throws ApiError VALIDATION_ERROR for a password that guessers try first, EMAIL_TAKEN, RATE_LIMITED.
 * Source: api.md "Accounts".
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
    return openSession(deps.session, trx, { userId: user.id, amr: ['pwd'], client, now })
  })
  if ('taken' in registered) {
    refuseAttempt(registered.taken)
    throw apiError('EMAIL_TAKEN')
  }
  deps.post.wake()
  return grantSession(deps.session, { user, ...registered, now })
}
