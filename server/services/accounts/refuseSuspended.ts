import { apiError } from '../../errors.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'

export type RefuseSuspendedDeps = { interventions: Pick<InterventionStore, 'find'> }

/**
 * Refuses to sign in to, or to act as, an account that an operator has suspended.
 *
 * Called once a credential of the account has been proven and in the transaction that would use it: nobody else learns of
 * the suspension, or that the account exists, and no session outlives it.
 *
 * @throws ApiError ACCOUNT_SUSPENDED with the operator's reason.
 */
export async function refuseSuspended(
  { interventions }: RefuseSuspendedDeps,
  trx: Parameters<InterventionStore['insert']>[0],
  { developerId }: { developerId: string },
): Promise<void> {
  const found = await interventions.find(developerId, trx)
  if (found === null) return
  throw apiError('ACCOUNT_SUSPENDED', {
    message: `This account was suspended by an operator of this service. Reason: ${found.reason}`,
  })
}
