import type { AlertStore } from '../../store/alertStore.ts'
import { type AlertView, alertView } from './alertView.ts'

export type ListAlertsDeps = { alerts: Pick<AlertStore, 'listByOwners'> }

export type ListAlertsInput = {
  actsFor: ReadonlySet<string>
  unreadOnly: boolean
  page: { limit: number; before: number | null }
}

/** The alerts of the owners the caller acts for, newest first. Source: api.md "Approvals, activity, audit". */
export async function listAlerts(
  deps: ListAlertsDeps,
  { actsFor, unreadOnly, page }: ListAlertsInput,
): Promise<{ items: AlertView[]; nextBefore: number | null }> {
  const found = await deps.alerts.listByOwners([...actsFor], { unreadOnly }, page)
  return { items: found.items.map(alertView), nextBefore: found.nextBefore }
}
