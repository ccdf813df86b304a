import type { RaiseAlert } from '../alerts/createRaiseAlert.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/**
 * Tells the owner of an endpoint that is still `discovered` that it runs on a URL nobody has claimed.
 *
 * Source: `Spec: Alerts` `sdk_unregistered_endpoint`; verification.md "Order" 4: once per endpoint per day.
 */
export function warnUnregistered(raise: RaiseAlert, endpoint: VerifiableEndpoint, now: number): void {
  if (endpoint.id === null) return
  raise(
    {
      ownerId: endpoint.ownerId,
      code: 'sdk_unregistered_endpoint',
      severity: 'warning',
      subject: endpoint.id,
      data: { endpointId: endpoint.id },
    },
    now,
  )
}
