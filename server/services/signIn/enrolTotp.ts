import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { TotpCodes } from '../../external/tokens/totpCodes.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireFreshProof } from '../requireFreshProof.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

export type EnrolTotpDeps = RequireLiveSessionDeps & {
  users: Pick<UserStore, 'byId'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  totp: Pick<TotpStore, 'of' | 'enrol'>
  codes: Pick<TotpCodes, 'newSecret' | 'otpauthUrl'>
  secrets: Pick<SecretBox, 'seal'>
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type EnrolTotpInput = { principal: SessionPrincipal; now: number }

/** Shown only once. */
export type EnrolledTotp = { secret: string; otpauthUrl: string; recoveryCodes: string[] }

const RECOVERY_CODES = 10
/** Characters of a recovery code, five bits each: 80 bits cannot be guessed, so a plain hash is sufficient. */
const RECOVERY_LENGTH = 16
/** Without I, L, O and U, which are misread. Source: Crockford's base 32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Creates a secret for an authenticator app and recovery codes; codes are required only after the first one is confirmed.
 *
 * It needs a fresh proof, because whoever stole a session could otherwise lock the owner out for good. An account that only
 * wallets open never asks for a code.
 *
 * @throws ApiError INVALID_STATE, ELEVATION_REQUIRED. Source: RFC 6238.
 */
export async function enrolTotp(
  deps: EnrolTotpDeps,
  { principal, now }: EnrolTotpInput,
): Promise<EnrolledTotp> {
  const { userId } = principal
  const user = await deps.users.byId(userId)
  if (!user || user.email === null) {
    throw apiError('INVALID_STATE', {
      message: 'Codes are asked for after a password; this account has none.',
    })
  }
  await requireFreshProof(deps, principal, now)
  const secret = deps.codes.newSecret(deps.randomBytes)
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => generateRecoveryCode(deps.randomBytes))
  const sealedSecret = deps.secrets.seal(secret, sealContexts.totpSecret(userId))
  const factor = { userId, sealedSecret, lastStep: 0, createdAt: now, confirmedAt: null }
  await deps.transaction(async (trx) => {
    await requireLiveSession(deps, trx, principal)
    if ((await deps.totp.of(userId, trx))?.confirmedAt) {
      throw apiError('INVALID_STATE', { message: 'The account already has an authenticator app.' })
    }
    await deps.totp.enrol(
      trx,
      factor,
      recoveryCodes.map((code) => sha256Hex(`${userId} ${code.replaceAll('-', '')}`)),
    )
  })
  return { secret, otpauthUrl: deps.codes.otpauthUrl(secret, user.email), recoveryCodes }
}

function generateRecoveryCode(randomBytes: (length: number) => Uint8Array): string {
  const characters = Array.from(randomBytes(RECOVERY_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-')
}
