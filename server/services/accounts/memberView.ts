import type { MemberRole, MemberStatus, Membership } from '../../store/organizationStore.ts'

/** A member as those who manage the organisation see it. */
export type MemberView = {
  userId: string
  role: MemberRole
  status: MemberStatus
  createdAt: string
}

/** Shows a membership. */
export function memberView({ userId, role, status, createdAt }: Membership): MemberView {
  return { userId, role, status, createdAt: new Date(createdAt).toISOString() }
}
