import { parseVerificationRequest, type VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { postVerifyAccessDecisionBody, sessionOperations } from '@svc/core/contract/sessions.ts'
import { verificationOperations } from '@svc/core/contract/verification.ts'
import { validationError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { isRepeatableDecision } from '../../services/verification/isRepeatableDecision.ts'
import { stampParties } from '../../services/verification/parties/stampParties.ts'
import { moveForeignName } from '../../services/verification/proofs/resolveCredentials.ts'
import { type RecordDecisionDeps, recordDecision } from '../../services/verification/recordDecision.ts'
import type { VerificationDeps } from '../../services/verification/verificationDeps.ts'
import { verifyAccess } from '../../services/verification/verifyAccess.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: POST /api/agents/verify-access`. */
export const postVerifyAccess = operation({
  summary: 'Decides whether an agent may perform an action at an endpoint now, and records the outcome.',
  body: verificationOperations['POST /api/agents/verify-access'].body,
  headers: {
    'X-Svc-Id': 'Identifier of the agent, if the body has no `agentId`',
    'X-Svc-Credential':
      'A third-party credential in addition to those in the body: its type, a space and its value',
    'X-Svc-Proof': 'Intent proof that the agent presented, if the body has no `intentProof`',
    'X-Svc-Token': 'Agent token that the caller presented, if the body has no `agentToken`',
  },
  answer: verificationOperations['POST /api/agents/verify-access'].answer,
  errors: [
    'COUNTERPARTY_KEY_MISMATCH',
    'VALIDATION_ERROR',
    'ATTEMPT_MISMATCH',
    'SERVICE_UNAVAILABLE',
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  waitsForHost: 'decision',
  stamp: (parts: { verification: VerificationDeps }) => (call) => {
    const request = parseRequest(call)
    return stampParties(parts.verification, callerOf(call, 'apiKey'), request)
  },
  handle: (parts: { verification: VerificationDeps }) => async (call) => {
    const request = parseRequest(call)
    const principal = callerOf(call, 'apiKey')
    const { now, waitForHost } = call
    const body = await call.once(() =>
      verifyAccess(parts.verification, { principal, request, now, waitForHost }),
    )
    return { body, isRepeatable: isRepeatableDecision(body, request) }
  },
})

function parseRequest(call: Call): VerificationRequest {
  const parsed = parseVerificationRequest(
    withHeaderProofs(call, withHeaderCredential(call, withHeaderIdentity(call))),
  )
  if (!parsed.ok) throw validationError(parsed.errors)
  return moveForeignName(parsed.request)
}

/** Adds the third-party credential of the header `X-Svc-Credential: <type> <value>` to those in the body. */
function withHeaderCredential(call: Call, body: unknown): unknown {
  const presented = call.header('x-svc-credential')
  if (presented === undefined || typeof body !== 'object' || body === null) return body
  const [type = '', value = ''] = presented.trim().split(/\s+/, 2)
  const { credentials = [] } = body as { credentials?: unknown }
  // The schema rejects anything else.
  return Array.isArray(credentials) ? { ...body, credentials: [...credentials, { type, value }] } : body
}

/** The headers in which a proof may come instead of the body. */
const PROOF_HEADERS = { intentProof: 'X-Svc-Proof', agentToken: 'X-Svc-Token' } as const

/**
 * Takes the proofs from their headers.
 *
 * @throws ApiError VALIDATION_ERROR if one is in the body as well and differs.
 */
function withHeaderProofs(call: Call, body: unknown): unknown {
  let merged = body
  for (const [member, header] of Object.entries(PROOF_HEADERS)) {
    const presented = call.header(header)
    if (presented !== undefined) merged = addMember(merged, member, presented, header)
  }
  return merged
}

function addMember(body: unknown, member: string, presented: string, header: string): unknown {
  if (typeof body !== 'object' || body === null) return body
  const stated = (body as Record<string, unknown>)[member]
  if (stated === undefined) return { ...body, [member]: presented }
  if (stated === presented) return body
  const message = `differs from the header ${header}`
  throw validationError([{ pointer: `/${member}`, code: 'contradictory', message }])
}

/**
 * Takes the agent identifier from the header `X-Svc-Id` if the body has none.
 *
 * @throws ApiError VALIDATION_ERROR if both are present and differ.
 */
function withHeaderIdentity(call: Call): unknown {
  const presented = call.header('x-svc-id')
  return presented === undefined
    ? (call.body ?? {})
    : addMember(call.body ?? {}, 'agentId', presented, 'X-Svc-Id')
}

/** Source: `Spec: POST /api/agents/verify-access`. */
export const headVerifyAccess = operation({
  summary: 'Responds to the start-up probe of client libraries.',
  answer: verificationOperations['HEAD /api/agents/verify-access'].answer,
  errors: [],
  handle: () => () => ({ body: {} }),
})

/** Source: `Spec: POST /api/agents/verify-access/{sessionId}/decision`. */
export const postVerifyAccessDecision = operation({
  summary: 'Records what the counterparty decided for a verified session.',
  body: sessionOperations['POST /api/agents/verify-access/:sessionId/decision'].body,
  answer: sessionOperations['POST /api/agents/verify-access/:sessionId/decision'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'DECISION_CONFLICT', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { verification: RecordDecisionDeps }) => async (call) => {
    const input = parseInput(postVerifyAccessDecisionBody, call.body)
    const stored = await recordDecision(parts.verification, {
      principal: callerOf(call, 'apiKey'),
      sessionId: call.params.sessionId ?? '',
      decision: input.decision,
      reason: input.reason ?? null,
      tokenIssued: input.tokenIssued ?? null,
      ip: call.ip,
      now: call.now,
    })
    return {
      body: {
        success: true,
        sessionId: stored.sessionId,
        decision: stored.decision,
        recordedAt: new Date(stored.recordedAt).toISOString(),
      },
    }
  },
})
