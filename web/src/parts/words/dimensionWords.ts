import type { ApprovalDimension, Dimension, HardDimension } from '@svc/core/access/findings.ts'

/** Why a request is denied, by dimension. Source: `Spec: POST /api/agents/verify-access`, dimensions. */
const DENIAL_REASONS: Readonly<Record<HardDimension, string>> = {
  'agent.identity': 'The agent is not known.',
  'agent.status': 'The agent is not active.',
  'trust.score': 'The agent’s trust score is too low.',
  'counterparty.status': 'The endpoint is not active.',
  'counterparty.allowlist': 'The endpoint does not admit this agent.',
  'counterparty.trust': 'The endpoint is not trusted enough for this.',
  'counterparty.policy': 'The endpoint’s policy does not allow it.',
  'pdlss.purpose': 'The agent may not act for this purpose.',
  'pdlss.action': 'The agent may not take this action.',
  'pdlss.duration': 'The agent may not act at this time, or for this long.',
  'pdlss.limits': 'The amount is more than the agent may spend.',
  'pdlss.rate': 'The agent has used up its transactions of this hour.',
  'pdlss.scope': 'The agent may not use this resource, place or counterparty.',
  'pdlss.selfInstantiation': 'The agent may not create this sub-agent.',
  'endpoint.purpose': 'The endpoint does not accept this purpose.',
  'endpoint.duration': 'The endpoint does not accept requests at this time, or for this long.',
  'endpoint.limits': 'The amount is more than the endpoint accepts.',
  'endpoint.scope': 'The endpoint does not offer this resource or place.',
  'endpoint.selfInstantiation': 'The endpoint does not accept this sub-agent.',
  'endpoint.certifications': 'The endpoint asks for a certification that the agent does not have.',
  'runtime.challenge': 'The agent did not answer its challenge.',
  'agent.proof': 'The request does not prove that it is the agent’s.',
  'approvals.pending': 'Too many requests of the agent wait for its owner.',
  mandate: 'The agent’s owner does not allow it.',
  'commerce.mandate': 'The payment mandate does not allow it.',
}

/** Why the owner is asked, by dimension. Source: `Spec: POST /api/agents/verify-access`, step-up dimensions. */
const APPROVAL_REASONS: Readonly<Record<ApprovalDimension, string>> = {
  'pdlss.purpose.approval_required': 'The owner approves this kind of action each time.',
  'pdlss.duration.approval_required': 'The request is outside the days or hours that need no approval.',
  'pdlss.scope.approval_required':
    'The owner approves this resource, jurisdiction or counterparty each time.',
  'pdlss.selfInstantiation.approval_required': 'The agent wants to create a sub-agent.',
  'commerce.intent.approval_required': 'The amount is more than the agent may spend without approval.',
}

const REASONS: Readonly<Record<Dimension, string>> = { ...DENIAL_REASONS, ...APPROVAL_REASONS }

/** Why a dimension failed, where its cause says more. What is wrong with a proof stands beside it. */
const CAUSE_REASONS: Readonly<Record<string, string>> = {
  'agent.identity malformed': 'The agent identifier is malformed.',
  'agent.identity unknown_agent': 'No agent with this identifier is registered.',
  'agent.identity level_too_low':
    'The request needed a higher access level than callers without an agent get.',
  'trust.score level_too_low': 'The request needed a higher access level than the agent had here.',
  'runtime.challenge withheld': 'The agent had been challenged too often to be asked.',
  'pdlss.purpose not_stated': 'The request names no purpose.',
  'pdlss.action not_stated': 'The request names no action.',
  'endpoint.purpose not_stated': 'The request names no purpose, and the endpoint asks for one.',
}

/** A dimension as a sentence; one that this version does not know stays as it is. `causes` are those of the event. */
export function describeDimension(dimension: string, causes?: unknown): string {
  const cause = Object(causes)[dimension]
  const caused = `${dimension} ${cause}`
  if (Object.hasOwn(CAUSE_REASONS, caused)) return CAUSE_REASONS[caused] ?? dimension
  return Object.hasOwn(REASONS, dimension) ? REASONS[dimension as Dimension] : dimension
}
