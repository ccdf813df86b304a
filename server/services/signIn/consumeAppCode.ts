import type { SecretBox } from '../../external/secretBox.ts'
import type { TotpCodes } from '../../external/totpCodes.ts'
import type { TotpFactor, TotpStore } from '../../store/accounts/totpStore.ts'

export type UseAppCodeDeps = {
  totp: Pick<TotpStore, 'useStep'>
  codes: Pick<TotpCodes, 'stepOf'>
  secrets: Pick<SecretBox, 'open'>
}

export type UseAppCodeInput = { factor: TotpFactor; code: string; now: number }

/**
 * Uses up a code of an authenticator app; false for a wrong or used one, and for what is no such code.
 *
 * The step is compared in the update that stores it, so of two requests with one code one loses.
 * Source: RFC 6238 §5.2 (a code is good once).
 */
export async function consumeAppCode(
  deps: UseAppCodeDeps,
  trx: Parameters<TotpStore['useStep']>[0],
  { factor: { userId, sealedSecret }, code, now }: UseAppCodeInput,
): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(typed)) return false
  const secret = deps.secrets.open(sealedSecret, `totp ${userId}`)
  const step = deps.codes.stepOf(secret, typed, now)
  return step !== null && (await deps.totp.useStep(trx, userId, step))
}
