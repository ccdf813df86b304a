import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { TotpCodes } from '../../external/tokens/totpCodes.ts'
import type { TotpFactor, TotpStore } from '../../store/accounts/totpStore.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

export type UseAppCodeDeps = {
  totp: Pick<TotpStore, 'useStep'>
  codes: Pick<TotpCodes, 'stepOf'>
  secrets: Pick<SecretBox, 'open'>
}

export type UseAppCodeInput = { factor: TotpFactor; code: string; now: number }

/**
 * Consumes a code of an authenticator app; false for a wrong or used code, and for anything that is not a code.
 *
 * The update that stores the time step compares it, so that only one of two requests with the same code succeeds. Source:
 * RFC 6238 §5.2.
 */
export async function consumeAppCode(
  deps: UseAppCodeDeps,
  trx: Parameters<TotpStore['useStep']>[0],
  { factor: { userId, sealedSecret }, code, now }: UseAppCodeInput,
): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(typed)) return false
  const secret = deps.secrets.open(sealedSecret, sealContexts.totpSecret(userId))
  const step = deps.codes.stepOf(secret, typed, now)
  return step !== null && (await deps.totp.useStep(trx, userId, step))
}
