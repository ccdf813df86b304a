import { apiError } from '../../errors.ts'
import type { AlertStore } from '../../store/alertStore.ts'
import type { Db } from '../../store/database.ts'
import { type AlertView, alertView } from './alertView.ts'

export type ReadAlertDeps = { db: Pick<Db, 'transaction'>; alerts: Pick<AlertStore, 'markRead'> }

export type ReadAlertInput = { alertId: string; actsFor: ReadonlySet<string>; now: number }

/**
 * Marks an alert as read; the first time counts, and again gets the same answer.
 *
 * @throws ApiError NOT_FOUND for one of another owner. Source: api.md "Approvals, activity, audit".
 */
export async function readAlert(
  deps: ReadAlertDeps,
  { alertId, actsFor, now }: ReadAlertInput,
): Promise<AlertView> {
  const alert = await deps.db.transaction((trx) =>
    deps.alerts.markRead(trx, { id: alertId, ownerIds: [...actsFor], now }),
  )
  if (alert === null) throw apiError('NOT_FOUND')
  return alertView(alert)
}
