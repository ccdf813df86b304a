import { buildDomainChallenge } from './buildDomainChallenge.ts'
import type { DomainDeps } from './domainDeps.ts'
import { settleDomain } from './settleDomain.ts'

/** Looked at in one round, one after the other. */
const ROUND_MAX = 20
/** A round that died leaves its proofs due again after so long. */
const TAKEN_MS = 10 * 60_000

/**
 * Looks again at the proven domains that are due; one whose proof is gone for long loses its tier, and its owner is
 * told.
 *
 * @returns How many were looked at.
 * Source: api.md "Endpoints" (third tier); `Spec: Alerts`.
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
