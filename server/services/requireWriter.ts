import { apiError } from '../errors.ts'
import { mayWriteFor } from './mayWriteFor.ts'
import type { Principal } from './principal.ts'

/**
 * Requires that a caller may change an owner's resources, as `mayWriteFor` decides.
 *
 * @throws ApiError ORGANIZATION_SUSPENDED for an organisation of the caller that an operator has suspended, otherwise
 * FORBIDDEN.
 */
export function requireWriter(principal: Principal, ownerId: string): void {
  refuseSuspendedOrganization(principal, ownerId)
  if (!mayWriteFor(principal, ownerId)) throw apiError('FORBIDDEN')
}

/** Refuses to change an organisation of the caller that is suspended. @throws ApiError ORGANIZATION_SUSPENDED. */
export function refuseSuspendedOrganization(principal: Principal, organizationId: string): void {
  const isMember = principal.kind === 'apiKey' || principal.kind === 'session'
  if (isMember && principal.suspendedOrganizations.has(organizationId)) {
    throw apiError('ORGANIZATION_SUSPENDED')
  }
}
