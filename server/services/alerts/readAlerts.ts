import type { Alert } from '@svc/core/contract/alerts.ts'
import { apiError } from '../../errors.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { Db } from '../../store/database/database.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { toAlertView } from './alertView.ts'

export type ReadAlertsDeps = { db: Pick<Db, 'transaction'>; alerts: Pick<AlertStore, 'markRead'> }

export type ReadAlertsInput = { alertIds: readonly string[]; principal: Principal; now: number }

/**
 * Marks alerts as read, all or none; the first time counts, and repeating it returns the same answer.
 *
 * An alert that one member of an organisation has read is read for all, so viewers, who change nothing, cannot mark any.
 *
 * @throws ApiError NOT_FOUND for an alert of another owner, FORBIDDEN for one of an organisation in which the caller is a
 * viewer.
 */
export async function readAlerts(
  deps: ReadAlertsDeps,
  { alertIds, principal, now }: ReadAlertsInput,
): Promise<Alert[]> {
  const ids = [...new Set(alertIds)]
  const alerts = await deps.db.transaction(async (trx) => {
    const read = await deps.alerts.markRead(trx, { ids, ownerIds: [...actsForOf(principal)], now })
    if (read.length < ids.length) throw apiError('NOT_FOUND')
    for (const { ownerId } of read) requireWriter(principal, ownerId)
    return read
  })
  return alerts.map((alert) => toAlertView(alert, principal))
}

/** Marks one alert as read. @throws ApiError as `readAlerts`. */
export async function readAlert(
  deps: ReadAlertsDeps,
  { alertId, ...input }: Omit<ReadAlertsInput, 'alertIds'> & { alertId: string },
): Promise<Alert> {
  const [alert] = await readAlerts(deps, { ...input, alertIds: [alertId] })
  if (alert === undefined) throw apiError('NOT_FOUND')
  return alert
}

export type ListAlertsDeps = { alerts: Pick<AlertStore, 'listByOwners'> }

export type ListAlertsInput = {
  principal: Principal
  unreadOnly: boolean
  page: { limit: number; before: number | null }
}

/** Lists the alerts of the owners that the caller acts for, newest first. */
export async function listAlerts(
  deps: ListAlertsDeps,
  { principal, unreadOnly, page }: ListAlertsInput,
): Promise<{ items: Alert[]; nextBefore: number | null }> {
  const found = await deps.alerts.listByOwners([...actsForOf(principal)], { unreadOnly }, page)
  return { items: found.items.map((alert) => toAlertView(alert, principal)), nextBefore: found.nextBefore }
}
