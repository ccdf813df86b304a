import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { DomainProof, DomainProofStore } from '../../store/endpoints/domainProofStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import type { FoundDomainProof } from './findDomainProof.ts'

/** A verified domain is checked once a day, a failing one every hour. */
const CHECK_MS = 24 * 3_600_000
const RETRY_MS = 3_600_000
/** Consecutive failures, over at least three hours, before a DNS outage costs the tier. */
const FAILURES_MAX = 3

export type StoreDomainCheckDeps = {
  stores: { endpoints: EndpointStore; proofs: DomainProofStore; records: Pick<AuditRecordStore, 'append'> }
  randomBytes: (length: number) => Uint8Array
}

/** A check of a published challenge. */
export type DomainCheck = { endpoint: EndpointRow; proof: DomainProof; found: FoundDomainProof; now: number }

/**
 * Stores the result of a check: the tier rises when the proof is found, and falls when it has been missing for long.
 *
 * @returns The updated endpoint; if its tier has changed, call `onTierChanged` after the commit.
 */
export async function storeDomainCheck(
  deps: StoreDomainCheckDeps,
  trx: Parameters<DomainProofStore['update']>[0],
  check: DomainCheck,
): Promise<EndpointRow> {
  const { endpoints, proofs, records } = deps.stores
  const { now } = check
  const before = (await endpoints.byAnyId(check.endpoint.id, trx)) ?? check.endpoint
  const proof = advanceProof(check.proof, check.found, now)
  const isActive = before.status === 'active'
  const tier = isActive ? nextTierOf(before, proof, check.found) : before.tier
  await proofs.update(trx, before.id, {
    ...proof,
    nextCheckAt: isActive && tier === 'domain_verified' ? proof.nextCheckAt : null,
  })
  if (tier === before.tier) return before
  const after: EndpointRow = { ...before, tier, updatedAt: now }
  await endpoints.update(trx, before.id, { tier, updatedAt: now })
  const event = tier === 'domain_verified' ? 'endpoint.domain_verified' : 'endpoint.domain_lapsed'
  const context = { now, randomBytes: deps.randomBytes }
  await records.append(trx, buildEndpointRecord(event, after, { method: proof.method }, context))
  return after
}

function advanceProof(proof: DomainProof, found: FoundDomainProof, now: number) {
  return found.method === null
    ? { ...proof, failures: proof.failures + 1, nextCheckAt: now + RETRY_MS }
    : { ...proof, method: found.method, failures: 0, provenAt: now, nextCheckAt: now + CHECK_MS }
}

function nextTierOf(
  { tier }: EndpointRow,
  proof: { failures: number },
  found: FoundDomainProof,
): EndpointRow['tier'] {
  if (tier === 'discovered') return tier
  if (found.method !== null) return 'domain_verified'
  return proof.failures < FAILURES_MAX ? tier : 'self_asserted'
}
