import type { StatusListCache } from '../receipts/createStatusListCache.ts'
import type { Grant, Grants } from './createGrants.ts'
import type { UseReporter } from './createUseReporter.ts'
import type { ReusableRequest } from './readReusableRequest.ts'

type UseGrantDeps = {
  grants: Grants
  statusLists: StatusListCache
  reporter: Pick<UseReporter, 'add' | 'isBlocked'>
}

/**
 * Uses a grant for a further request, and notes the use for the report to the service. False, and nothing is used, if the
 * grant does not cover the request, is withdrawn, or its status is not known.
 *
 * A signature from before the grant may have been used at the service, or at another gateway, so it does not count here.
 *
 * Never rejects: a signature that cannot be verified here is the service's to decide on.
 *
 * @param at Epoch milliseconds.
 */
export async function useGrant(
  { grants, statusLists, reporter }: UseGrantDeps,
  grant: Grant,
  request: ReusableRequest,
  at: number,
): Promise<boolean> {
  const { value = 0, nonce, expires, created } = request
  const { claims } = grant
  if (created < claims.iat || reporter.isBlocked(at) || !grants.spend(grant, value)) return false
  const status = await statusLists.read(claims.status?.status_list, at)
  if (status === 'withdrawn') grants.drop(claims.jti)
  const isCovered = status === 'valid' && (await request.isSignedBy(grant.key))
  // Other requests may have been answered in the meantime.
  if (!isCovered || grant.isDropped || reporter.isBlocked(at)) {
    grants.giveBack(grant, value)
    return false
  }
  reporter.add({
    useId: crypto.randomUUID(),
    auditRecordId: claims.jti,
    usedAt: new Date(at).toISOString(),
    value: request.value,
    nonce,
    expires,
    request: request.signed(),
  })
  return true
}
