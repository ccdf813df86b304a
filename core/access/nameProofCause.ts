import type { Texts } from './causeTexts.ts'
import type { AccessFailure, Decision } from './decision.ts'
import type { ProofCause } from './failureCauses.ts'
import type { PresentedProof } from './identityProof.ts'

const SIGN_AGAIN = 'Sign each request again before sending it, also when it is repeated.'

/** What a signature of the profile has. Source: docs/agents.md. */
const PROFILE =
  'A signature covers the method, the authority, the path, x-svc-id, a query, and the digest of a body; it has created, expires, keyid, tag and a fresh nonce.'

/** Source: docs/agents.md. */
const SUPPORTED =
  'It can cover headers by their names in lower case, whole or one member of a dictionary (key), and @method, @authority, @target-uri, @scheme, @path, @query, @request-target and @query-param; no other component and no other parameter of one.'

/** One fixed text for each cause of a failed proof. */
export const PROOF_TEXTS: Readonly<Record<ProofCause, Texts>> = {
  not_reported: {
    message: 'The counterparty did not report everything that the signature covers, so it cannot be checked.',
    guidance:
      'Hand over in callerMetadata what the signature covers: method, targetUri, contentDigest, signatureAgent, and every covered header under its name in lower case. A gateway behind a parser of bodies needs the received bytes (captureBody). Let the agent cover nothing that cannot be handed over, such as a secret.',
  },
  malformed: {
    message: 'The proof of identity does not have the form that the service accepts.',
    guidance: `${PROFILE} ${SUPPORTED} The algorithm is that of the key; an account names none. An intent proof is a compact JWS, an agent token comes from this service.`,
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
    message: 'The counterparty states a fact differently from the agent’s proof, or leaves it out.',
    guidance:
      'Compare purpose, action, resource, amount, currency, sessionDuration, attemptId and bodyHash of the intent proof with the request to this service.',
  },
}

const FAILURES = new Map<ProofCause, AccessFailure>()

/** The public failure of `agent.proof` for a cause, always the same object. Source: docs/decisions/0158. */
export function proofFailureOf(cause: ProofCause): AccessFailure {
  const known = FAILURES.get(cause)
  if (known !== undefined) return known
  const failure = Object.freeze({ dimension: 'agent.proof', cause, ...PROOF_TEXTS[cause] } as const)
  FAILURES.set(cause, failure)
  return failure
}

/**
 * Names the cause of a failed proof in a decision that has this failure; any other decision is returned as it is.
 *
 * It changes texts, and nothing that is decided. Programs that decide by a policy file verify no proofs, so the texts are
 * not part of `decideVerified`.
 */
export function nameProofCause(decision: Decision, proof: PresentedProof | undefined): Decision {
  const cause = proof?.cause ?? (proof?.isIncomplete ? 'not_reported' : undefined)
  const { failures = [] } = decision.access
  const at = failures.findIndex(({ dimension }) => dimension === 'agent.proof')
  if (cause === undefined || at === -1) return decision
  const failure = proofFailureOf(cause)
  // Reasons are the messages of the hard failures, which come first, and this is one.
  return {
    ...decision,
    access: {
      ...decision.access,
      ...(at === 0 ? { reason: failure.message } : {}),
      failures: failures.with(at, failure),
    },
    recommendationReasons: decision.recommendationReasons.with(at, failure.message),
  }
}
