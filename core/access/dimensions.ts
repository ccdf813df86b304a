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
