import type { Membership } from '../../../store/accounts/organizationStore.ts'

/** The organisations whose API keys a user may see and revoke though others created them: as active owner or admin. */
export function managedOrganizations(memberships: readonly Membership[]): string[] {
  return memberships
    .filter(({ role, status }) => status === 'active' && (role === 'owner' || role === 'admin'))
    .map(({ organizationId }) => organizationId)
}
