import type { AlertView } from './alertView.ts'
import type { ListAlertsInput } from './listAlerts.ts'
import type { ReadAlertInput } from './readAlert.ts'

/** The use cases around alerts, with their dependencies bound. */
export type AlertServices = {
  list(input: ListAlertsInput): Promise<{ items: AlertView[]; nextBefore: number | null }>
  read(input: ReadAlertInput): Promise<AlertView>
}
