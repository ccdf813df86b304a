import { apiError } from '../../errors.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import type { SessionPrincipal } from '../principal.ts'

export type ChangeInterventionDeps = RequireLiveSessionDeps & {
  interventions: Pick<InterventionStore, 'insert' | 'delete'>
}

/** What an operator orders about a subject. */
export type Intervening = {
  id: string
  /** The owner is told it. */
  reason: string
  /** An operator. */
  principal: SessionPrincipal
  now: number
}

type Trx = Parameters<InterventionStore['insert']>[0]

type Order = Intervening & { subjectId: string; messageOfConflict: string }

/**
 * Puts a measure of an operator into force, or lifts it, in the transaction of its effects.
 *
 * The operator's session must still be open: two operators who suspend each other do not both succeed.
 *
 * @throws ApiError UNAUTHENTICATED, INVALID_STATE if the measure is in force already, or is not.
 */
export async function changeIntervention(
  deps: ChangeInterventionDeps,
  trx: Trx,
  isOrdered: boolean,
  { subjectId, messageOfConflict, reason, principal, now }: Order,
): Promise<void> {
  await requireLiveSession(deps, trx, principal)
  const isChanged = isOrdered
    ? await deps.interventions.insert(trx, {
        subjectId,
        reason,
        decidedBy: principal.developerId,
        decidedAt: now,
      })
    : await deps.interventions.delete(trx, subjectId)
  if (!isChanged) throw apiError('INVALID_STATE', { message: messageOfConflict })
}
