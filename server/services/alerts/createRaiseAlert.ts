import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { Alert, AlertStore } from '../../store/approvals/alertStore.ts'

/** Maximum alerts remembered as raised today; beyond it, the memory is cleared, and the table still prevents duplicates. */
const MAX_REMEMBERED = 10_000

export type RaiseAlertDeps = {
  alerts: Pick<AlertStore, 'raise'>
  randomBytes: (length: number) => Uint8Array
  onFailure: (error: unknown) => void
}

type NewAlert = Pick<Alert, 'ownerId' | 'code' | 'severity' | 'subject' | 'data'>

export type RaiseAlert = (alert: NewAlert, now: number) => void

/**
 * Creates the function that raises alerts in the background of a request, each at most once per owner, code, subject and
 * day (UTC). Source: `Spec: Alerts`.
 */
export function createRaiseAlert(deps: RaiseAlertDeps): RaiseAlert {
  let remembered = new Set<string>()
  return (alert, now) => {
    const built = buildAlert(alert, { now, randomBytes: deps.randomBytes })
    const key = [built.day, alert.ownerId, alert.code, alert.subject].join(' ')
    if (remembered.has(key)) return
    if (remembered.size >= MAX_REMEMBERED) remembered = new Set()
    remembered.add(key)
    deps.alerts.raise(built).catch((error: unknown) => {
      remembered.delete(key)
      deps.onFailure(error)
    })
  }
}

type AlertContext = { now: number; since?: number; randomBytes: (length: number) => Uint8Array }

/** Builds an alert; its day (UTC) is that of `since`, the time of what it reports, or by default today. */
export function buildAlert(alert: NewAlert, { now, since = now, randomBytes }: AlertContext): Alert {
  const day = new Date(since).toISOString().slice(0, 10)
  return { ...alert, id: generateUuidV7(now, randomBytes(10)), day, createdAt: now }
}
