import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { buildDomainChallenge } from './buildDomainChallenge.ts'
import type { FoundDomainProof } from './findDomainProof.ts'
import { findObstacles, isProven } from './findObstacles.ts'
import type { HostClaim, HostDeps } from './hostDeps.ts'

/**
 * Looks for a claimant's proof of control over a host that others have registered without proving it; null if there is
 * nothing to contest. It waits for other hosts, so call it before the transaction.
 *
 * @throws As `WaitForHost`.
 */
export async function contestHost(
  deps: HostDeps,
  claim: HostClaim & { waitForHost: WaitForHost },
): Promise<FoundDomainProof | null> {
  const { endpoints } = deps.stores
  const known = await endpoints.claimedByUrl(claim.url)
  if (known?.ownerId === claim.ownerId) return null
  const [first] = await findObstacles(endpoints, claim, 1)
  if (first === undefined || isProven(first)) return null
  return claim.waitForHost(() => deps.find(buildHostChallenge(deps, claim)))
}

/** What a claimant has to publish to prove control over the host: the same each time. */
export function buildHostChallenge(deps: Pick<HostDeps, 'tokenOf'>, claim: HostClaim): DomainChallenge {
  const { url, host, ownerId } = claim
  return buildDomainChallenge({ url, host }, deps.tokenOf(ownerId, host))
}
