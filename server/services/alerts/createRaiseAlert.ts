import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { Alert, AlertStore } from '../../store/approvals/alertStore.ts'

/** Maximum alerts remembered as raised today; beyond it, the memory is cleared, and the table still prevents duplicates. */
const MAX_REMEMBERED = 10_000

export type RaiseAlertDeps = {
  alerts: Pick<AlertStore, 'raise'>
  randomBytes: (length: number) => Uint8Array
  onFailure: (error: unknown) => void
}

export type RaiseAlert = (
  alert: Pick<Alert, 'ownerId' | 'code' | 'severity' | 'subject' | 'data'>,
  now: number,
) => void

/**
 * Creates the function that raises alerts in the background of a request, each at most once per owner, code, subject and
 * day (UTC). Source: `Spec: Alerts`.
 */
export function createRaiseAlert(deps: RaiseAlertDeps): RaiseAlert {
  let remembered = new Set<string>()
  return (alert, now) => {
    const day = new Date(now).toISOString().slice(0, 10)
    const key = [day, alert.ownerId, alert.code, alert.subject].join(' ')
    if (remembered.has(key)) return
    if (remembered.size >= MAX_REMEMBERED) remembered = new Set()
    remembered.add(key)
    deps.alerts
      .raise({ ...alert, id: generateUuidV7(now, deps.randomBytes(10)), day, createdAt: now })
      .catch((error: unknown) => {
        remembered.delete(key)
        deps.onFailure(error)
      })
  }
}
