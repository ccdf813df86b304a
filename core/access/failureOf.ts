import type { AccessFailure } from './decision.ts'
import type { Dimension } from './findings.ts'

const outsideMandate =
  'Do not retry. The agent owner can see what the agent may do; another boundary takes another registration.'
const outsideEndpoint =
  'Do not retry as it is. The endpoint owner can see and change what the endpoint admits.'
const askOwner =
  'Hold the request and poll the approval; send it again with the same attempt id once it is approved.'

/** One fixed text for each dimension, so that no text can reveal a policy. */
const TEXTS: Record<Dimension, { message: string; guidance: string }> = {
  'agent.identity': {
    message: 'No registered agent stands behind this request.',
    guidance: 'Present the identifier of a registered agent, or register one.',
  },
  'agent.status': {
    message: 'The agent is not active.',
    guidance: 'The agent owner can see its status and what to do about it.',
  },
  'trust.score': {
    message: 'The trust score of the agent is not high enough for this endpoint.',
    guidance: 'More complete registration data and good behaviour raise the score.',
  },
  'counterparty.status': {
    message: 'The endpoint does not take requests at present.',
    guidance: 'The endpoint owner can see its status and what to do about it.',
  },
  'counterparty.allowlist': {
    message: 'The endpoint admits this kind of request only from owners it has listed.',
    guidance: 'Ask the endpoint owner to be admitted.',
  },
  'counterparty.trust': {
    message: 'The endpoint is not trusted enough for this agent.',
    guidance: 'The endpoint owner can raise its verification tier.',
  },
  'counterparty.policy': {
    message: 'The agent does not deal with endpoints that are not registered.',
    guidance: 'The endpoint owner can claim and register the endpoint.',
  },
  'pdlss.purpose': {
    message: 'The purpose is outside the mandate of the agent.',
    guidance: `State the purpose of the request. ${outsideMandate}`,
  },
  'pdlss.action': {
    message: 'The action is outside the mandate of the agent.',
    guidance: `State the action of the request. ${outsideMandate}`,
  },
  'pdlss.duration': {
    message: 'The time or the length of the session is outside the mandate of the agent.',
    guidance: outsideMandate,
  },
  'pdlss.limits': {
    message: 'The value or currency of the transaction is outside the mandate of the agent.',
    guidance: outsideMandate,
  },
  'pdlss.rate': {
    message: 'The agent has made as many transactions as its mandate has room for at present.',
    guidance: 'Try again later.',
  },
  'pdlss.scope': {
    message: 'The resource, jurisdiction or counterparty is outside the mandate of the agent.',
    guidance: outsideMandate,
  },
  'pdlss.selfInstantiation': {
    message: 'Creating this sub-agent is outside the mandate of the agent.',
    guidance: outsideMandate,
  },
  'endpoint.purpose': {
    message: 'The purpose or action is not one that the endpoint admits.',
    guidance: `State purpose and action of the request. ${outsideEndpoint}`,
  },
  'endpoint.duration': {
    message: 'The time or the length of the session is not one that the endpoint admits.',
    guidance: outsideEndpoint,
  },
  'endpoint.limits': {
    message: 'The value, currency or number of transactions is not one that the endpoint admits.',
    guidance: outsideEndpoint,
  },
  'endpoint.scope': {
    message: 'The resource, jurisdiction or caller is not one that the endpoint admits.',
    guidance: outsideEndpoint,
  },
  'endpoint.selfInstantiation': {
    message: 'The endpoint does not admit creating this sub-agent.',
    guidance: outsideEndpoint,
  },
  'endpoint.certifications': {
    message: 'The agent does not hold the certifications that are asked for or claimed.',
    guidance: 'Claim only what the agent holds. Certifications are granted by an operator of this service.',
  },
  'runtime.challenge': {
    message: 'The agent did not confirm that it made this request.',
    guidance:
      'Bring the challenge endpoint of the agent up, register the counterparty as pending, and retry.',
  },
  'pdlss.purpose.approval_required': {
    message: 'The agent owner has to approve this action.',
    guidance: askOwner,
  },
  'pdlss.duration.approval_required': {
    message: 'The agent owner has to approve a request at this time.',
    guidance: askOwner,
  },
  'pdlss.scope.approval_required': {
    message: 'The agent owner has to approve this resource, jurisdiction or counterparty.',
    guidance: askOwner,
  },
  'pdlss.selfInstantiation.approval_required': {
    message: 'The agent owner has to approve creating a sub-agent.',
    guidance: askOwner,
  },
  'commerce.intent.approval_required': {
    message: 'The agent owner has to approve this spend.',
    guidance: askOwner,
  },
}

const FAILURES = new Map<Dimension, AccessFailure>()

/**
 * The public failure of a dimension, always the same object.
 *
 * It says that the dimension failed and what to do next, and never a limit, a list or a rule. Spec: Visibility.
 */
export function failureOf(dimension: Dimension): AccessFailure {
  const known = FAILURES.get(dimension)
  if (known !== undefined) return known
  const failure = Object.freeze({ dimension, ...TEXTS[dimension] })
  FAILURES.set(dimension, failure)
  return failure
}
