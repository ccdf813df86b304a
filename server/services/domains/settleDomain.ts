import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import type { DomainDeps } from './domainDeps.ts'
import { type DomainCheck, storeDomainCheck } from './storeDomainCheck.ts'

/**
 * Stores the result of a check in its own transaction, and reports a changed tier after the commit.
 *
 * @returns The updated endpoint.
 */
export async function settleDomain(deps: DomainDeps, check: DomainCheck): Promise<EndpointRow> {
  const settled = await deps.db.transaction((trx) => storeDomainCheck(deps, trx, check))
  if (settled.tier !== check.endpoint.tier) await deps.onTierChanged(settled)
  return settled
}
