import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type GrantSessionDeps, grantSession } from '../accounts/grantSession.ts'
import { type OpenSessionDeps, openSession } from '../accounts/openSession.ts'
import { refuseSuspended } from '../accounts/refuseSuspended.ts'

export type PassFirstFactorDeps = {
  totp: Pick<TotpStore, 'of'>
  interimSignIns: Pick<InterimSignInStore, 'insert'>
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  randomBytes: (length: number) => Uint8Array
}

type Trx = Parameters<Parameters<Db['transaction']>[0]>[0]

export type PassFirstFactorInput = {
  user: User
  /** How the first factor was verified: `pwd`, or `fed` for an identity provider. Source: RFC 8176. */
  amr: string[]
  client: SessionClient
  now: number
  /** Checked again in the same transaction, because the factor may have been replaced meanwhile. */
  isStillGood?: (trx: Trx) => Promise<boolean>
  /** Runs in the same transaction if this factor completes the sign-in. */
  onComplete?: (trx: Trx) => Promise<void>
}

/** The response to a first factor that is not sufficient. */
export type CodeRequired = {
  mfaRequired: true
  interimToken: string
  methods: ('totp' | 'recovery_code')[]
  /** Seconds. */
  expiresIn: number
}

const LIFETIME_SECONDS = 5 * 60

/**
 * Continues after a password or an identity provider: with a session or, for an account with an authenticator app, with an
 * interim token that only `POST /api/auth/mfa` accepts.
 *
 * Passkeys and wallets do not come here: each is a proven key, without a password.
 *
 * @throws ApiError UNAUTHENTICATED if the factor is no longer valid, ACCOUNT_SUSPENDED.
 */
export async function passFirstFactor(
  deps: PassFirstFactorDeps,
  input: PassFirstFactorInput,
): Promise<SessionGrant | CodeRequired> {
  const { user, amr, client, now } = input
  const interimToken = `svc_it_${Buffer.from(deps.randomBytes(32)).toString('base64url')}`
  const opened = await deps.transaction(
    async (trx) => {
      if (input.isStillGood && !(await input.isStillGood(trx))) throw apiError('UNAUTHENTICATED')
      await refuseSuspended(deps.session, trx, user)
      const factor = await deps.totp.of(user.id, trx)
      if (factor === null || factor.confirmedAt === null) {
        await input.onComplete?.(trx)
        return openSession(deps.session, trx, { user, amr, client, now })
      }
      const expiresAt = now + LIFETIME_SECONDS * 1000
      const waiting = { tokenHash: sha256Hex(interimToken), userId: user.id, amr, expiresAt }
      await deps.interimSignIns.insert(trx, waiting, now)
      return null
    },
    [`account ${user.id}`],
  )
  if (opened) return grantSession(deps.session, { user, ...opened, now })
  return {
    mfaRequired: true,
    interimToken,
    methods: ['totp', 'recovery_code'],
    expiresIn: LIFETIME_SECONDS,
  }
}
