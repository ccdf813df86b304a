import type { FailureCause } from './failureCauses.ts'
import type { Dimension } from './findings.ts'

/** What a failure says, and what to do about it. */
export type Texts = { message: string; guidance: string }

const levelTooLow = 'The request needs a higher access level than its caller has.'

/** One fixed text for each cause of a dimension; those of `agent.proof` are with `nameProofCause`. */
export const CAUSE_TEXTS: Readonly<
  Partial<Record<Dimension, Readonly<Partial<Record<FailureCause, Texts>>>>>
> = {
  'agent.identity': {
    malformed: {
      message: 'The agent identifier is malformed.',
      guidance:
        'An agent identifier is SVC- followed by letters and digits, exactly as the registration returned it. An agent of another registry is named by its token; present any other name as a credential.',
    },
    unknown_agent: {
      message: 'No agent with this identifier is registered.',
      guidance: 'Compare the identifier with the one that the registration returned, case included.',
    },
    level_too_low: {
      message: levelTooLow,
      guidance: 'Present the identifier of a registered agent, or ask for a lower level.',
    },
  },
  'trust.score': {
    level_too_low: {
      message: levelTooLow,
      guidance: 'Ask for a lower level, or raise the trust score.',
    },
  },
  'runtime.challenge': {
    withheld: {
      message: 'The agent was challenged too often to be asked about this request.',
      guidance: 'Retry in a minute, or let the agent prove its identity with the request.',
    },
  },
  'pdlss.purpose': {
    not_stated: {
      message: 'The request names no purpose.',
      guidance: 'State the purpose of the request, as category or category:action.',
    },
  },
  'pdlss.action': {
    not_stated: {
      message: 'The request names no action.',
      guidance: 'State the action of the request, as category:action in its purpose.',
    },
  },
  'endpoint.purpose': {
    not_stated: {
      message: 'The request names no purpose, and the endpoint asks for one.',
      guidance: 'State purpose and action of the request.',
    },
  },
}

/** What to do about a dimension that the owner could have approved, in a denial. Its message stays. */
export const DENIED_GUIDANCE: Readonly<Partial<Record<FailureCause, string>>> = {
  denied_by_owner: 'The owner denied this request. Do not send it again.',
  not_asked: 'The owner is asked only once nothing else denies the request.',
}
