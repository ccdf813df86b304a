import type { AlertView } from './alertView.ts'
import type { ListAlertsInput } from './listAlerts.ts'
import type { ReadAlertsInput } from './readAlerts.ts'

/** The use cases around alerts, with their dependencies bound. */
export type AlertServices = {
  list(input: ListAlertsInput): Promise<{ items: AlertView[]; nextBefore: number | null }>
  /** Answers the alerts, the newest first. */
  read(input: ReadAlertsInput): Promise<AlertView[]>
}
