import type { AlertStore } from '../../store/approvals/alertStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { type AlertView, alertView } from './alertView.ts'

export type ListAlertsDeps = { alerts: Pick<AlertStore, 'listByOwners'> }

export type ListAlertsInput = {
  principal: Principal
  unreadOnly: boolean
  page: { limit: number; before: number | null }
}

/** The alerts of the owners the caller acts for, newest first. Source: api.md "Approvals, activity, audit". */
export async function listAlerts(
  deps: ListAlertsDeps,
  { principal, unreadOnly, page }: ListAlertsInput,
): Promise<{ items: AlertView[]; nextBefore: number | null }> {
  const found = await deps.alerts.listByOwners([...actsForOf(principal)], { unreadOnly }, page)
  return { items: found.items.map((alert) => alertView(alert, principal)), nextBefore: found.nextBefore }
}
