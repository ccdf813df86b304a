import { CAUSE_TEXTS, DENIED_GUIDANCE, type Texts } from './causeTexts.ts'
import type { AccessFailure } from './decision.ts'
import type { FailureCause } from './failureCauses.ts'
import type { Dimension } from './findings.ts'

const whoseMandate =
  'the agent owner can see what the agent may do; a different boundary requires a new registration.'
const outsideMandate = `Do not retry: ${whoseMandate}`
const otherwiseOutside = `Otherwise do not retry: ${whoseMandate}`
const outsideEndpoint =
  'Do not retry unchanged. The endpoint owner can see and change what the endpoint admits.'
const askOwner =
  'Hold the request and poll the approval; send it again with the same attempt id once it is approved.'

/** One fixed text for each dimension without a known cause, so that no text can reveal a policy. */
const TEXTS: Record<Dimension, { message: string; guidance: string }> = {
  'agent.identity': {
    message: 'The request does not come from a registered agent.',
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
    message: 'The endpoint does not accept requests at present.',
    guidance: 'The endpoint owner can see its status and what to do about it.',
  },
  'counterparty.allowlist': {
    message: 'The endpoint admits this kind of request only from owners on its allowlist.',
    guidance: 'Ask the endpoint owner for admission.',
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
    guidance: outsideMandate,
  },
  'pdlss.action': {
    message: 'The action is outside the mandate of the agent.',
    guidance: `If the request names no action, state it. ${otherwiseOutside}`,
  },
  'pdlss.duration': {
    message: 'The time or the length of the session is outside the mandate of the agent.',
    guidance: `If the request states no session length, state it. ${otherwiseOutside}`,
  },
  'pdlss.limits': {
    message: 'The value or currency of the transaction is outside the mandate of the agent.',
    guidance: `If the request states a value without a currency, state the currency. ${otherwiseOutside}`,
  },
  'pdlss.rate': {
    message: 'The agent has made as many transactions as its mandate allows for now.',
    guidance: 'Try again later.',
  },
  'pdlss.scope': {
    message: 'The resource, jurisdiction or counterparty is outside the mandate of the agent.',
    guidance: `If the request states no resource or no jurisdiction, state it. ${otherwiseOutside}`,
  },
  'pdlss.selfInstantiation': {
    message: 'Creating this sub-agent is outside the mandate of the agent.',
    guidance: outsideMandate,
  },
  'endpoint.purpose': {
    message: 'The endpoint does not admit this purpose or action.',
    guidance: `State purpose and action of the request. ${outsideEndpoint}`,
  },
  'endpoint.duration': {
    message: 'The endpoint does not admit this time or session length.',
    guidance: `State the length of the session. ${outsideEndpoint}`,
  },
  'endpoint.limits': {
    message: 'The endpoint does not admit this value, currency or number of transactions.',
    guidance: `State the currency of the value. ${outsideEndpoint}`,
  },
  'endpoint.scope': {
    message: 'The endpoint does not admit this resource, jurisdiction or caller.',
    guidance: `State resource and jurisdiction of the request. ${outsideEndpoint}`,
  },
  'endpoint.selfInstantiation': {
    message: 'The endpoint does not admit creating this sub-agent.',
    guidance: outsideEndpoint,
  },
  'endpoint.certifications': {
    message: 'The agent does not hold the certifications that are required or claimed.',
    guidance: 'Claim only what the agent holds. Certifications are granted by an operator of this service.',
  },
  'runtime.challenge': {
    message: 'The agent did not confirm that it made this request.',
    guidance:
      'Make the challenge endpoint of the agent reachable, register the counterparty as pending, and retry.',
  },
  'agent.proof': {
    message: 'The request does not prove well enough that it comes from this agent.',
    guidance:
      'Sign the request with a key of the agent, or present an intent proof or an agent token, each for this endpoint and only once.',
  },
  'approvals.pending': {
    message: 'Too many requests already wait for the agent owner.',
    guidance: 'Prove the identity of the agent, or try again once the owner has decided.',
  },
  mandate: {
    message: 'The request is not within the mandate of the agent.',
    guidance: 'Ask the agent owner, or send the request itself.',
  },
  'commerce.mandate': {
    message: 'The payment mandate does not cover this transaction.',
    guidance: 'Present the mandate that the payer signed for this transaction.',
  },
  'pdlss.purpose.approval_required': {
    message: 'The agent owner must approve this action.',
    guidance: askOwner,
  },
  'pdlss.duration.approval_required': {
    message: 'The agent owner must approve a request at this time.',
    guidance: askOwner,
  },
  'pdlss.scope.approval_required': {
    message: 'The agent owner must approve this resource, jurisdiction or counterparty.',
    guidance: askOwner,
  },
  'pdlss.selfInstantiation.approval_required': {
    message: 'The agent owner must approve creating a sub-agent.',
    guidance: askOwner,
  },
  'commerce.intent.approval_required': {
    message: 'The agent owner must approve this spend.',
    guidance: askOwner,
  },
}

const FAILURES = new Map<string, AccessFailure>()

/**
 * The public failure of a dimension, always the same object for the same cause.
 *
 * It says that the dimension failed, for which cause if that may be told, and what to do next, and never a limit, a list or
 * a rule. A cause that the dimension does not have changes nothing. Spec: Visibility.
 */
export function failureOf(dimension: Dimension, cause?: FailureCause): AccessFailure {
  const caused = cause === undefined ? undefined : textsOf(dimension, cause)
  const key = caused === undefined ? dimension : `${dimension} ${cause}`
  const known = FAILURES.get(key)
  if (known !== undefined) return known
  const texts = caused === undefined ? TEXTS[dimension] : { cause, ...caused }
  const failure = Object.freeze({ dimension, ...texts })
  FAILURES.set(key, failure)
  return failure
}

/** A denial has nothing to wait for, so what the owner would approve says so instead. */
function textsOf(dimension: Dimension, cause: FailureCause): Texts | undefined {
  const guidance = DENIED_GUIDANCE[cause]
  const texts = TEXTS[dimension]
  return guidance && texts.guidance === askOwner ? { ...texts, guidance } : CAUSE_TEXTS[dimension]?.[cause]
}
