import { encodeDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { refuseWeakPassword } from '../signIn/replacePassword.ts'

export type EnsureOperatorDeps = {
  users: Pick<UserStore, 'insert' | 'byEmail' | 'withPassword' | 'makeOperator'>
  passwords: PasswordHasher
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type EnsureOperatorInput = {
  /** Lower case. */
  email: string
  password: string
  now: number
}

const FULL_NAME = 'Operator'

/**
 * Ensures that the first operator's account exists: creates it, or gives the role to the account with the address.
 *
 * Anyone can open an account with an address that is not theirs, so the role only goes to an account that has verified the
 * address or has this password. An account that is already an operator stays unchanged, including its password.
 *
 * @throws Error with a message for the operator of the service. Source: docs/operations.md (`SVC_OPERATOR_EMAIL`).
 */
export async function ensureOperator(deps: EnsureOperatorDeps, input: EnsureOperatorInput): Promise<void> {
  const { users } = deps
  const { email, password, now } = input
  const found = await users.withPassword(email)
  if (found?.user.role === 'operator') return
  if (found === null) {
    refuseWeak(input)
    const passwordHash = await deps.passwords.hash(password)
    const isCreated = await deps.transaction((trx) =>
      users.insert(trx, buildOperatorAccount(deps, { email, now }), passwordHash),
    )
    // Another process created the account first.
    return isCreated ? undefined : ensureOperator(deps, input)
  }
  const isTheirs =
    found.user.emailVerifiedAt !== null || (await deps.passwords.verify(found.passwordHash, password))
  if (!isTheirs) {
    throw new Error(
      `Setting SVC_OPERATOR_EMAIL: ${email} has an account that has not proven the address, and SVC_OPERATOR_PASSWORD is not its password`,
    )
  }
  await deps.transaction((trx) => users.makeOperator(trx, found.user.id))
}

function buildOperatorAccount(
  { randomBytes }: Pick<EnsureOperatorDeps, 'randomBytes'>,
  { email, now }: { email: string; now: number },
): Parameters<UserStore['insert']>[1] {
  return {
    id: generateUuidV7(now, randomBytes(10)),
    developerId: encodeDeveloperIdentifier(randomBytes(16)),
    email,
    // The person who configures the service vouches for the address.
    emailVerifiedAt: now,
    fullName: FULL_NAME,
    accountType: 'business',
    role: 'operator',
    kydVerifiedAt: null,
    createdAt: now,
  }
}

function refuseWeak({ email, password }: EnsureOperatorInput): void {
  try {
    refuseWeakPassword(password, { email, fullName: FULL_NAME })
  } catch (cause) {
    throw new Error('Setting SVC_OPERATOR_PASSWORD: it is among the first that an attacker would try', {
      cause,
    })
  }
}
