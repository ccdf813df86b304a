/**
 * The dimensions whose failure is a denial, in the order in which an answer lists them.
 *
 * `pdlss.*` is the agent's own mandate, `endpoint.*` the endpoint's boundary, `counterparty.*` what the two sides
 * ask of each other. The names are part of the contract. Spec: Verification response.
 */
export const HARD_DIMENSIONS = [
  'agent.identity',
  'agent.status',
  'trust.score',
  'counterparty.status',
  'counterparty.allowlist',
  'counterparty.trust',
  'counterparty.policy',
  'pdlss.purpose',
  'pdlss.action',
  'pdlss.duration',
  'pdlss.limits',
  'pdlss.rate',
  'pdlss.scope',
  'pdlss.selfInstantiation',
  'endpoint.purpose',
  'endpoint.duration',
  'endpoint.limits',
  'endpoint.scope',
  'endpoint.selfInstantiation',
  'endpoint.certifications',
  'runtime.challenge',
] as const

/** The dimensions on which the agent's owner may be asked instead. Spec: POST /api/agents/verify-access. */
export const APPROVAL_DIMENSIONS = [
  'pdlss.purpose.approval_required',
  'pdlss.duration.approval_required',
  'pdlss.scope.approval_required',
  'pdlss.selfInstantiation.approval_required',
  'commerce.intent.approval_required',
] as const

export type HardDimension = (typeof HARD_DIMENSIONS)[number]
export type ApprovalDimension = (typeof APPROVAL_DIMENSIONS)[number]
export type Dimension = HardDimension | ApprovalDimension

/**
 * What checks have found, as a set in one integer: a bit for each dimension, in the order of the tables.
 *
 * A decision makes twenty checks and nearly always finds nothing; sets as integers keep that free of allocation.
 */
export type Findings = number

const DIMENSIONS: readonly Dimension[] = [...HARD_DIMENSIONS, ...APPROVAL_DIMENSIONS]

/** Nothing was found. */
export const NOTHING: Findings = 0

/** Every dimension whose failure is a denial. */
export const HARD_FINDINGS: Findings = 2 ** HARD_DIMENSIONS.length - 1

/** Every dimension on which the owner may be asked. */
export const APPROVAL_FINDINGS: Findings = (2 ** DIMENSIONS.length - 1) & ~HARD_FINDINGS

/** Granted, but the counterparty is not a registered endpoint and the mandate wants that said. */
export const UNREGISTERED_NOTICE: Findings = 2 ** DIMENSIONS.length

/** The findings that count against the agent: its own mandate and its challenge. Spec: Decision failures. */
export const MANDATE_FINDINGS: Findings = HARD_DIMENSIONS.filter(
  (dimension) => dimension.startsWith('pdlss.') || dimension === 'runtime.challenge',
).reduce((findings, dimension) => findings | findingOf(dimension), NOTHING)

/** The set that holds one dimension. */
export function findingOf(dimension: Dimension): Findings {
  return 2 ** DIMENSIONS.indexOf(dimension)
}

/** The dimensions in a set whose failure is a denial, in the order of the table. */
export function hardDimensionsOf(findings: Findings): HardDimension[] {
  return HARD_DIMENSIONS.filter((dimension) => (findings & findingOf(dimension)) !== 0)
}

/** The dimensions in a set on which the owner is asked, in the order of the table. */
export function approvalDimensionsOf(findings: Findings): ApprovalDimension[] {
  return APPROVAL_DIMENSIONS.filter((dimension) => (findings & findingOf(dimension)) !== 0)
}
