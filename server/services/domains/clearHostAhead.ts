import { ARCHIVED_MAX, archiveObstacles } from './archiveObstacles.ts'
import type { FoundDomainProof } from './findDomainProof.ts'
import { findObstacles, isProven } from './findObstacles.ts'
import type { HostClaim, HostDeps } from './hostDeps.ts'

/**
 * Archives what stands in the way of a claimant who has proven the host, in transactions of bounded length, until the rest
 * fits into the transaction of the registration. Otherwise an owner with very many endpoints could not be replaced.
 */
export async function clearHostAhead(
  deps: HostDeps,
  claim: HostClaim,
  found: FoundDomainProof | null,
): Promise<void> {
  const method = found?.method ?? null
  if (method === null) return
  let isCrowded = true
  while (isCrowded) {
    const archived = await deps.unkeyedDb.transaction(async (trx) => {
      const obstacles = await findObstacles(deps.stores.endpoints, claim, ARCHIVED_MAX + 1, trx)
      const [first] = obstacles
      if (obstacles.length <= ARCHIVED_MAX || first === undefined || isProven(first)) return []
      await archiveObstacles(deps, trx, { obstacles, method, now: claim.now })
      return obstacles
    })
    for (const endpoint of archived) deps.onEndpointChanged(endpoint)
    isCrowded = archived.length > 0
  }
}
