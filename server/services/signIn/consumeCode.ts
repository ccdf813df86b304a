import { sha256Hex } from '@svc/core/hash.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import { consumeAppCode, type UseAppCodeDeps } from './consumeAppCode.ts'

export type UseCodeDeps = UseAppCodeDeps & { totp: Pick<TotpStore, 'of' | 'useStep' | 'useRecoveryCode'> }

export type UseCodeInput = { userId: string; code: string; now: number }

/**
 * Consumes a code of the account's authenticator app or one of its recovery codes; null for a wrong or used one, and for
 * any code while the app is unconfirmed.
 */
export async function consumeCode(
  deps: UseCodeDeps,
  trx: Parameters<TotpStore['useStep']>[0],
  { userId, code, now }: UseCodeInput,
): Promise<'app' | 'recovery' | null> {
  const factor = await deps.totp.of(userId, trx)
  if (!factor || factor.confirmedAt === null) return null
  if (await consumeAppCode(deps, trx, { factor, code, now })) return 'app'
  const codeHash = sha256Hex(`${userId} ${code.replace(/[\s-]/g, '').toUpperCase()}`)
  return (await deps.totp.useRecoveryCode(trx, userId, codeHash)) ? 'recovery' : null
}
