import { DECISION_VERSION, type DecisionVersion } from '../access/decision.ts'
import type { VerificationRequest } from '../access/verificationRequest.ts'
import { compileLiteralResourceRules, compileResourceRules } from '../glob/compileResourceRules.ts'
import { READING_CHARS_MAX } from '../glob/listReadings.ts'
import { parseCounterparty } from './counterparty.ts'
import type { Pdlss } from './pdlss.ts'

type Resourced = Pick<VerificationRequest, 'resource' | 'plainResource'>

/** The scope dimension of a boundary. What a request does not state is not refused. */
export type CompiledScope = {
  refusesResource: (request: Resourced) => boolean
  refusesResourceType: (resourceType: string | undefined) => boolean
  /** Upper-case code. */
  refusesJurisdiction: (jurisdiction: string | undefined) => boolean
  /** Takes the host in URL form and the merchant accounts of the counterparty. An unknown host is not refused. */
  refusesCounterparty: (host: string | undefined, merchantIds: readonly string[] | undefined) => boolean
  unverifiedCounterpartyPolicy: 'deny' | 'warn' | 'allow'
  minCounterpartyTrustScore: number
  requiredCertifications: readonly string[]
}

/** Compiles the scope dimension: resource globs, resource types, jurisdictions and counterparties. */
export function compileScope(
  scope: Pdlss['scope'],
  version: DecisionVersion = DECISION_VERSION,
): CompiledScope {
  const refusesResource = compileResources(scope?.resources ?? [], scope?.deniedResources ?? [], version)
  const jurisdictions = (scope?.jurisdictions ?? []).map((code) => code.toUpperCase())
  return {
    refusesResource: ({ resource, plainResource }) =>
      resource !== undefined && refusesResource(resource, plainResource),
    refusesResourceType: compileOutside(scope?.resourceTypes ?? []),
    refusesJurisdiction: compileOutside(jurisdictions),
    refusesCounterparty: compileCounterparties(scope?.counterparties ?? []),
    unverifiedCounterpartyPolicy: scope?.unverifiedCounterpartyPolicy ?? 'allow',
    minCounterpartyTrustScore: scope?.minCounterpartyTrustScore ?? 0,
    requiredCertifications: scope?.requiredCertifications ?? [],
  }
}

/** Until version 4, a resource could have readings of any length. */
function compileResources(allowed: readonly string[], denied: readonly string[], version: DecisionVersion) {
  if (version === 1) return compileLiteralResourceRules(allowed, denied)
  return compileResourceRules(allowed, denied, version <= 4 ? Number.POSITIVE_INFINITY : READING_CHARS_MAX)
}

function compileOutside(names: readonly string[]): (name: string | undefined) => boolean {
  if (names.length === 0) return () => false
  const allowed = new Set(names)
  return (name) => name !== undefined && !allowed.has(name)
}

function compileCounterparties(entries: readonly string[]): CompiledScope['refusesCounterparty'] {
  if (entries.length === 0) return () => false
  const hosts = new Set<string>()
  const suffixes: string[] = []
  const merchants = new Set<string>()
  for (const entry of entries) {
    const counterparty = parseCounterparty(entry)
    if (counterparty?.kind === 'host') hosts.add(counterparty.host)
    if (counterparty?.kind === 'subdomains') suffixes.push(counterparty.suffix)
    if (counterparty?.kind === 'merchant') merchants.add(counterparty.merchantId)
  }
  return (host, merchantIds) =>
    host !== undefined &&
    !hosts.has(host) &&
    !suffixes.some((suffix) => host.endsWith(suffix)) &&
    !(merchantIds?.some((merchantId) => merchants.has(merchantId)) ?? false)
}
