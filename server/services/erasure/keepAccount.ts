import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database/database.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type KeepAccountDeps = {
  erasures: Pick<ErasureStore, 'withdraw'>
  transaction: Db['transaction']
}

/**
 * Withdraws the erasure of the caller's account, until it begins.
 *
 * @throws ApiError INVALID_STATE if none was requested.
 */
export async function keepAccount(
  deps: KeepAccountDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<void> {
  const isKept = await deps.transaction((trx) => deps.erasures.withdraw(trx, principal.userId))
  if (!isKept) throw apiError('INVALID_STATE', { message: 'The account is not about to be deleted.' })
}
