import type { Organization } from '@svc/core/contract/accounts.ts'

/** Whether a member may make changes for an organisation. */
export function isWritable({ status, role, isSuspended }: Organization): boolean {
  return status === 'active' && role !== 'viewer' && !isSuspended
}
