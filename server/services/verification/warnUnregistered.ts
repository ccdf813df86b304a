import { uuidV7 } from '@svc/core/ids/uuidV7.ts'
import type { AlertStore } from '../../store/alertStore.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/** Endpoints remembered as warned about today; past it the memory starts anew and the table still keeps it to one. */
const MAX_REMEMBERED = 10_000

export type WarnUnregisteredDeps = {
  alerts: AlertStore
  randomBytes: (length: number) => Uint8Array
  onFailure: (error: unknown) => void
}

/**
 * Makes the alert `sdk_unregistered_endpoint`: once per endpoint per day, beside the request and not in its way.
 *
 * Source: `Spec: Alerts`; verification.md "Order" 4.
 */
export function createWarnUnregistered(deps: WarnUnregisteredDeps) {
  let remembered = new Set<string>()
  return (endpoint: VerifiableEndpoint, now: number): void => {
    const day = new Date(now).toISOString().slice(0, 10)
    const key = `${day} ${endpoint.id}`
    if (endpoint.id === null || remembered.has(key)) return
    if (remembered.size >= MAX_REMEMBERED) remembered = new Set()
    remembered.add(key)
    deps.alerts
      .raise({
        id: uuidV7(now, deps.randomBytes(10)),
        ownerId: endpoint.ownerId,
        code: 'sdk_unregistered_endpoint',
        severity: 'warning',
        subject: endpoint.id,
        day,
        createdAt: now,
      })
      .catch(deps.onFailure)
  }
}
