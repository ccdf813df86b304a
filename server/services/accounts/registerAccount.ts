import { developerIdentifier } from '@svc/core/ids/developerIdentifier.ts'
import { uuidV7 } from '@svc/core/ids/uuidV7.ts'
import { apiError, validationError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { Db } from '../../store/database.ts'
import type { User, UserStore } from '../../store/userStore.ts'
import { type GrantSessionDeps, grantSession, type SessionGrant } from './grantSession.ts'
import { type OpenSessionDeps, openSession } from './openSession.ts'

export type RegisterAccountDeps = {
  users: UserStore
  passwords: PasswordHasher
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  randomBytes: (length: number) => Uint8Array
}

export type RegisterAccountInput = {
  /** Lower case. */
  email: string
  password: string
  fullName: string
  accountType: User['accountType']
  now: number
}

/**
 * Creates an account and signs it in.
 *
 * @throws ApiError VALIDATION_ERROR for a password that the account itself gives away, EMAIL_TAKEN.
 * Source: api.md "Accounts".
 */
export async function registerAccount(
  deps: RegisterAccountDeps,
  input: RegisterAccountInput,
): Promise<SessionGrant> {
  const { email, fullName, accountType, now } = input
  refuseObviousPassword(input)
  const passwordHash = await deps.passwords.hash(input.password)
  const user: User = {
    id: uuidV7(now, deps.randomBytes(10)),
    developerId: developerIdentifier(deps.randomBytes(16)),
    email,
    fullName,
    accountType,
    role: 'user',
    kydVerifiedAt: null,
    createdAt: now,
  }
  const opened = await deps.transaction(async (trx) => {
    if (!(await deps.users.insert(trx, user, passwordHash))) throw apiError('EMAIL_TAKEN')
    return openSession(deps.session, trx, { userId: user.id, amr: ['pwd'], now })
  })
  return grantSession(deps.session, { user, ...opened, now })
}

function refuseObviousPassword({ email, password, fullName }: RegisterAccountInput): void {
  const normal = (text: string) => text.normalize('NFKC').toLowerCase()
  const obvious = [email, email.split('@')[0] ?? email, fullName, fullName.replaceAll(' ', '')]
  if (!obvious.map(normal).includes(normal(password))) return
  throw validationError([
    { pointer: '/password', code: 'obvious', message: 'is the e-mail address or the name of the account' },
  ])
}
