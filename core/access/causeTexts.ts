import type { FailureCause, ProofCause } from './failureCauses.ts'
import type { Dimension } from './findings.ts'

type Texts = { message: string; guidance: string }

const SIGN_AGAIN = 'Sign each request again before sending it, also when it is repeated.'

/** What a signature of the profile has. Source: docs/agents.md. */
const PROFILE =
  'A signature covers the method, the authority, the path, x-svc-id, a query, and the digest of a body; it has created, expires, keyid, tag and a nonce of its own.'

const PROOF_TEXTS: Readonly<Record<ProofCause, Texts>> = {
  not_reported: {
    message: 'The counterparty did not report everything that the signature covers, so it cannot be checked.',
    guidance:
      'Hand over in callerMetadata what the signature covers: method, targetUri, contentDigest, signatureAgent, and every covered header under its name in lower case. A gateway behind a parser of bodies needs the received bytes (captureBody). Let the agent cover nothing that cannot be handed over, such as a secret.',
  },
  malformed: {
    message: 'The proof of identity does not have the form that the service accepts.',
    guidance: `${PROFILE} The algorithm is that of the key. An intent proof is a compact JWS, an agent token comes from this service.`,
  },
  not_covered: {
    message: 'The signature does not cover everything that binds it to this request.',
    guidance: PROFILE,
  },
  not_yet_valid: {
    message: 'The proof of identity was made in the future.',
    guidance: 'Set the clock of the agent; it may differ by a minute at most.',
  },
  long_lived: {
    message: 'The proof of identity is valid for longer than the service accepts.',
    guidance: 'Let a signature expire within five minutes, and an intent proof within one.',
  },
  expired: {
    message: 'The proof of identity has expired.',
    guidance: `${SIGN_AGAIN} Set the clock of the agent; get a new agent token before the old one expires.`,
  },
  replayed: {
    message: 'The proof of identity was already used, and each is good for one request.',
    guidance: SIGN_AGAIN,
  },
  unknown_key: {
    message: 'The proof of identity names a key or account that does not sign for this agent.',
    guidance: 'Sign with a key that is listed in the key set of the agent, and name it by its thumbprint.',
  },
  revoked_key: {
    message: 'The key or account behind the proof of identity was revoked.',
    guidance: 'Sign with another key of the agent; its owner can add one.',
  },
  holder_missing: {
    message: 'The agent token is bound to a key that did not sign this request.',
    guidance: 'Sign the request with the key that the token names, or get a token without one.',
  },
  wrong_agent: {
    message: 'The proof of identity is for another agent than the request names.',
    guidance:
      'Name one agent: in x-svc-id or agentId, in iss of an intent proof, and as the subject of a token.',
  },
  wrong_endpoint: {
    message: 'The proof of identity is for another endpoint.',
    guidance:
      'Sign for the host of the endpoint, and address intent proofs and tokens to its identifier or origin. The endpoint owner can list further hosts among its authorities.',
  },
  altered: {
    message: 'The signature does not verify for this request.',
    guidance:
      'Compare method, host, path, query, covered headers and digest of the body as they were signed with those that the counterparty reports, and sign with the private half of the named key.',
  },
  contradicted: {
    message: 'The counterparty states a fact in another way than the agent committed to, or leaves it out.',
    guidance:
      'Compare purpose, action, resource, amount, currency, sessionDuration, attemptId and bodyHash of the intent proof with the request to this service.',
  },
}

/** One fixed text for each cause of a dimension. */
export const CAUSE_TEXTS: Readonly<
  Partial<Record<Dimension, Readonly<Partial<Record<FailureCause, Texts>>>>>
> = {
  'agent.identity': {
    malformed: {
      message: 'The agent identifier does not have the form of one.',
      guidance:
        'An agent identifier is SVC- followed by letters and digits, exactly as the registration returned it. An agent of another registry is named by its token; present any other name as a credential.',
    },
    unknown_agent: {
      message: 'No agent with this identifier is registered.',
      guidance: 'Compare the identifier with the one that the registration returned, case included.',
    },
  },
  'agent.proof': PROOF_TEXTS,
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
