import type { RaiseAlert } from '../../alerts/createRaiseAlert.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/**
 * Warns the owner of an endpoint that is still `discovered` that nobody has claimed its URL, at most once a day.
 *
 * Source: `Spec: Alerts` `sdk_unregistered_endpoint`.
 */
export function warnUnregistered(raise: RaiseAlert, endpoint: VerifiableEndpoint, now: number): void {
  if (endpoint.id === null) return
  raise(
    {
      ownerId: endpoint.ownerId,
      code: 'sdk_unregistered_endpoint',
      severity: 'warning',
      subject: endpoint.id,
      data: { endpointId: endpoint.id, ...(endpoint.url === null ? {} : { url: endpoint.url }) },
    },
    now,
  )
}
