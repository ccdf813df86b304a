/**
 * The dimensions whose failure denies the request, in the order of a response.
 *
 * `pdlss.*` is the agent's own mandate, `endpoint.*` the endpoint's boundary, and `counterparty.*` what the two parties
 * require of each other. The names are part of the contract. Spec: Verification response.
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
  'agent.proof',
  'approvals.pending',
  'mandate',
  'commerce.mandate',
] as const

/** The dimensions that the agent's owner can approve. Spec: POST /api/agents/verify-access. */
export const APPROVAL_DIMENSIONS = [
  'pdlss.purpose.approval_required',
  'pdlss.duration.approval_required',
  'pdlss.scope.approval_required',
  'pdlss.selfInstantiation.approval_required',
  'commerce.intent.approval_required',
] as const

/** The dimension that asks the owner about an amount. */
export const SPEND_APPROVAL = 'commerce.intent.approval_required' satisfies ApprovalDimension

export type HardDimension = (typeof HARD_DIMENSIONS)[number]
export type ApprovalDimension = (typeof APPROVAL_DIMENSIONS)[number]
export type Dimension = HardDimension | ApprovalDimension

/**
 * A set of failed dimensions as a bit mask, with a bit for each dimension in the order of the tables.
 *
 * A decision makes a dozen checks and more, which nearly always pass; a bit mask needs no allocation.
 */
export type Findings = number

const DIMENSIONS: readonly Dimension[] = [...HARD_DIMENSIONS, ...APPROVAL_DIMENSIONS]

/** Looked up by name, because a denial asks for many of them. */
const BITS = Object.fromEntries(DIMENSIONS.map((dimension, nth) => [dimension, 2 ** nth])) as Readonly<
  Record<Dimension, Findings>
>

/** The empty set. */
export const NOTHING: Findings = 0

/** Every dimension whose failure denies the request. */
export const HARD_FINDINGS: Findings = 2 ** HARD_DIMENSIONS.length - 1

/** Every dimension that the owner can approve. */
export const APPROVAL_FINDINGS: Findings = (2 ** DIMENSIONS.length - 1) & ~HARD_FINDINGS

/** Not a failure: the counterparty is not registered, and the mandate asks for a notice. */
export const UNREGISTERED_NOTICE: Findings = 2 ** DIMENSIONS.length

/** The failures of the agent's own mandate. */
const OWN_FINDINGS: Findings = HARD_DIMENSIONS.filter((dimension) => dimension.startsWith('pdlss.')).reduce(
  (findings, dimension) => findings | findingOf(dimension),
  NOTHING,
)

/** The failures that count against the agent: of its own mandate and of its challenge. Spec: Decision failures. */
export const MANDATE_FINDINGS: Findings = OWN_FINDINGS | findingOf('runtime.challenge')

/** All that says something about the mandate of the agent and the approval rules of its owner. */
export const BOUNDARY_FINDINGS: Findings = OWN_FINDINGS | APPROVAL_FINDINGS

/** The set of one dimension. */
export function findingOf(dimension: Dimension): Findings {
  return BITS[dimension]
}

/** The dimensions in a set whose failure denies the request, in the order of the table. */
export function hardDimensionsOf(findings: Findings): HardDimension[] {
  return HARD_DIMENSIONS.filter((_, nth) => (findings & (1 << nth)) !== 0)
}

/** The dimensions in a set that the owner can approve, in the order of the table. */
export function approvalDimensionsOf(findings: Findings): ApprovalDimension[] {
  return APPROVAL_DIMENSIONS.filter((_, nth) => (findings & (1 << (nth + HARD_DIMENSIONS.length))) !== 0)
}
