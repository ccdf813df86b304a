import { apiError } from '../../errors.ts'
import type { AlertStore } from '../../store/alertStore.ts'
import type { Db } from '../../store/database.ts'
import { type AlertView, alertView } from './alertView.ts'

export type ReadAlertsDeps = { db: Pick<Db, 'transaction'>; alerts: Pick<AlertStore, 'markRead'> }

export type ReadAlertsInput = { alertIds: readonly string[]; actsFor: ReadonlySet<string>; now: number }

/**
 * Marks alerts as read, all or none; of each the first time counts, and again gets the same answer.
 *
 * @throws ApiError NOT_FOUND when one is of another owner. Source: api.md "Approvals, activity, audit".
 */
export async function readAlerts(
  deps: ReadAlertsDeps,
  { alertIds, actsFor, now }: ReadAlertsInput,
): Promise<AlertView[]> {
  const ids = [...new Set(alertIds)]
  const alerts = await deps.db.transaction(async (trx) => {
    const read = await deps.alerts.markRead(trx, { ids, ownerIds: [...actsFor], now })
    if (read.length < ids.length) throw apiError('NOT_FOUND')
    return read
  })
  return alerts.map(alertView)
}
