import { sha256Hex } from '@svc/core/hash.ts'
import type { SecretBox } from '../../external/secretBox.ts'
import type { TotpCodes } from '../../external/totpCodes.ts'
import type { TotpStore } from '../../store/totpStore.ts'

export type UseCodeDeps = {
  totp: Pick<TotpStore, 'of' | 'useStep' | 'useRecoveryCode'>
  codes: Pick<TotpCodes, 'stepOf'>
  secrets: Pick<SecretBox, 'open'>
}

export type UseCodeInput = { userId: string; code: string; now: number }

/**
 * Uses up a code of the account's authenticator app, or one of its recovery codes; null for a wrong or used one.
 *
 * The step is compared in the update that stores it, so of two requests with one code one loses.
 * Source: RFC 6238 §5.2 (a code is good once).
 */
export async function useCode(
  deps: UseCodeDeps,
  trx: Parameters<TotpStore['useStep']>[0],
  { userId, code, now }: UseCodeInput,
): Promise<'app' | 'recovery' | null> {
  const factor = await deps.totp.of(userId, trx)
  if (!factor) return null
  const typed = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(typed)) {
    const secret = deps.secrets.open(factor.sealedSecret, `totp ${userId}`)
    const step = deps.codes.stepOf(secret, typed, now)
    return step !== null && (await deps.totp.useStep(trx, userId, step)) ? 'app' : null
  }
  const codeHash = sha256Hex(`${userId} ${typed.toUpperCase()}`)
  return (await deps.totp.useRecoveryCode(trx, userId, codeHash)) ? 'recovery' : null
}
