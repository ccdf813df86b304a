import type { MemberRole } from '@svc/core/memberRole.ts'

/**
 * Whether a member with this role may create API keys in the organisation, and keep using them.
 *
 * A viewer only reads, and a key registers endpoints: the keys of a member who becomes a viewer rest until the role
 * comes back.
 */
export function mayHoldKeys(role: MemberRole | undefined): boolean {
  return role === 'owner' || role === 'admin' || role === 'member'
}
