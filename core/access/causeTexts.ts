import type { FailureCause } from './failureCauses.ts'
import type { Dimension } from './findings.ts'

/** What a failure says, and what to do about it. */
export type Texts = { message: string; guidance: string }

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
      message: 'The request needs a higher access level than callers without an agent get here.',
      guidance: 'Present the identifier of a registered agent, or ask for a lower level.',
    },
  },
  'trust.score': {
    level_too_low: {
      message: 'The request needs a higher access level than the agent has here.',
      guidance: 'Ask for a lower level if that is enough. A higher trust score raises the level.',
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
