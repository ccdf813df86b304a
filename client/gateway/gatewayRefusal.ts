import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { SvcApiError } from '../http/svcApiError.ts'

/** The response with which a gateway refuses a request. */
export type GatewayRefusal = {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
  /** The body as JSON text. */
  text: string
}

const DIGEST_TEXTS = {
  signature: ['The body does not match the Content-Digest that was signed.', 'Sign the bytes that are sent.'],
  unreadable: [
    'The Content-Digest that was signed states no digest that can be compared with the body.',
    'Send sha-256=:…:, the SHA-256 of the bytes that are sent, in base64 (RFC 9530).',
  ],
  proof: [
    'The body does not match the bodyHash of the intent proof.',
    'State sha-256=:…:, the SHA-256 of the bytes that are sent, in base64, or no bodyHash.',
  ],
} as const

/**
 * What is wrong with a digest: that of a signature is another one or states none, or that of an intent proof is another one.
 */
export type DigestFault = keyof typeof DIGEST_TEXTS

/** Seconds after which an agent may send a held request again. */
const RESEND_AFTER_SECONDS = 5
const RETRY_AFTER_SECONDS_DEFAULT = 5

/**
 * Builds the responses with which a gateway refuses requests.
 *
 * `denied`, 403, names the failed dimensions and tells callers without an identity where to get one. `held`, 202, means that
 * the request was received but not carried out; the agent must send it again with `X-Svc-Attempt-Id` once the owner has
 * approved. `invalidTarget`, 400, is for a target that names another host than `Host`, and `agentMismatch`, 400, for headers
 * and metadata that name different agents. `levelTooLow` and `proofTooWeak`, 403, are for what a route requires.
 * `digestMismatch`, 403, is for a body that is not the signed one, and `bodyUnread` for one that cannot be compared with it:
 * it is too long, 413, or too slow, 408, or others leave no room for it, 503.
 * `failed` is for requests without a decision: 400 or 409 if the caller's own headers were at fault, otherwise 503 without
 * the cause.
 *
 * Source: Spec: Verification response; Spec: Step-up approval object.
 */
export const gatewayRefusal = {
  denied({
    access: { reason, failures },
    recommendation,
    recommendationReasons,
    ...answer
  }: VerificationAnswer): GatewayRefusal {
    const { advisory, sessionId, correlationId } = answer
    return buildRefusal(403, 'access_denied', reason, {
      ...{ recommendation, recommendationReasons, failures, advisory, sessionId, correlationId },
    })
  },

  held({
    access: { failures },
    recommendation,
    recommendationReasons,
    stepUpApproval,
  }: VerificationAnswer): GatewayRefusal {
    const { approvalId, pollUrl, approvalUrl, expiresAt, status, attemptId } = stepUpApproval ?? {}
    const message = 'The agent’s owner must approve this request; send it again with X-Svc-Attempt-Id.'
    return buildRefusal(
      202,
      'step_up_required',
      message,
      {
        ...{ recommendation, recommendationReasons, failures },
        stepUpApproval: { approvalId, pollUrl, approvalUrl, expiresAt, status, attemptId },
      },
      { 'Retry-After': String(RESEND_AFTER_SECONDS) },
    )
  },

  levelTooLow({ access: { accessLevel } }: VerificationAnswer): GatewayRefusal {
    const message = `The access level ${accessLevel} is too low for this route.`
    return buildRefusal(403, 'access_level_too_low', message, { accessLevel })
  },

  proofTooWeak(
    { identityProof = 'none' }: VerificationAnswer,
    minIdentityProof: IdentityProof,
  ): GatewayRefusal {
    const message = 'This route requires a stronger proof of identity.'
    const token = minIdentityProof === 'signature' ? '' : ', or an agent token in X-Svc-Token'
    const guidance = `Sign the request with a key of the agent (RFC 9421), or present an intent proof in X-Svc-Proof${token}.`
    return buildRefusal(403, 'identity_proof_too_weak', message, {
      identityProof,
      minIdentityProof,
      guidance,
    })
  },

  invalidTarget(): GatewayRefusal {
    const message = 'The URL names another host than the Host header, or a user.'
    return buildRefusal(400, 'invalid_target', message)
  },

  agentMismatch(): GatewayRefusal {
    const message = 'The headers and the metadata of the request name different agents.'
    const guidance = 'Send one X-Svc-Id, or the same in both.'
    return buildRefusal(400, 'agent_mismatch', message, { guidance })
  },

  digestMismatch(fault: DigestFault = 'signature'): GatewayRefusal {
    const [message, guidance] = DIGEST_TEXTS[fault]
    return buildRefusal(403, 'content_digest_mismatch', message, { guidance })
  },

  bodyUnread(reason: 'too_long' | 'too_slow' | 'no_room'): GatewayRefusal {
    if (reason === 'no_room') {
      return refuseForNow('Too many signed bodies are being received; try again later.')
    }
    const [status, verb] = reason === 'too_long' ? [413, 'is'] : [408, 'took']
    const message = `The body ${verb} too long to be compared with its Content-Digest.`
    return buildRefusal(status, 'content_digest_unverifiable', message)
  },

  failed(error: unknown): GatewayRefusal {
    if (error instanceof SvcApiError && error.code === 'VALIDATION_ERROR' && !isHostFault(error)) {
      return buildRefusal(400, error.code, error.message, { errors: error.errors })
    }
    if (error instanceof SvcApiError && error.code === 'ATTEMPT_MISMATCH') {
      return buildRefusal(409, error.code, error.message)
    }
    const wait = error instanceof SvcApiError ? error.retryAfterSeconds : null
    return refuseForNow('The request could not be verified; try again later.', wait)
  },
}

function refuseForNow(message: string, waitSeconds?: number | null): GatewayRefusal {
  const headers = { 'Retry-After': String(waitSeconds || RETRY_AFTER_SECONDS_DEFAULT) }
  return buildRefusal(503, 'verification_unavailable', message, {}, headers)
}

/** The host names the counterparty, never its caller. */
function isHostFault({ errors }: SvcApiError): boolean {
  return errors.some(({ pointer }) => pointer === '' || pointer.startsWith('/counterparty'))
}

/** Builds a refusal with a body of the form that all have. */
function buildRefusal(
  status: number,
  code: string,
  message: string,
  members: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): GatewayRefusal {
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  const body = { success: false, error: code, code, message, ...members }
  return { status, headers: all, body, text: JSON.stringify(body) }
}
