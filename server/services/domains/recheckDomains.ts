import { buildDomainChallenge } from './buildDomainChallenge.ts'
import type { DomainDeps } from './domainDeps.ts'
import { settleDomain } from './settleDomain.ts'

/** Maximum domains per round, checked one after another. */
const ROUND_MAX = 20
/** Time after which domains of a crashed round are due again. */
const TAKEN_MS = 10 * 60_000

/**
 * Rechecks the verified domains that are due; an endpoint whose proof has been missing for long loses its tier, and its
 * owner is notified.
 *
 * @returns The number of domains checked. Source: `Spec: Alerts`.
 */
export async function recheckDomains(deps: DomainDeps, now: number): Promise<number> {
  const due = await deps.stores.proofs.takeDue(now, now + TAKEN_MS, ROUND_MAX)
  for (const proof of due) {
    const endpoint = await deps.stores.endpoints.byAnyId(proof.endpointId)
    if (!endpoint) continue
    const found = await deps.find(buildDomainChallenge(endpoint, proof.token))
    const settled = await settleDomain(deps, { endpoint, proof, found, now })
    if (settled.tier !== endpoint.tier) {
      const subject = settled.id
      const data = { svceId: settled.svceId ?? '', host: settled.host }
      const { ownerId } = settled
      deps.raiseAlert({ ownerId, code: 'endpoint.domain_lapsed', severity: 'warning', subject, data }, now)
    }
  }
  return due.length
}
