import type { MemberRole } from '@svc/core/accounts/rolesManagedBy.ts'

/** The roles of an organisation, and what each may do there. Source: api.md "Accounts". */
export const roles: readonly { value: MemberRole; label: string }[] = [
  { value: 'member', label: 'Member: works with endpoints and keys' },
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'admin', label: 'Admin: also invites and removes' },
  { value: 'owner', label: 'Owner' },
]
