import type { FieldError } from '@svc/core/fieldErrors.ts'
import { z } from 'zod'
import { ApiError, validationError } from '../../errors.ts'
import type { Once } from '../idempotency/answerOnce.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { isRepeatableDecision } from '../verification/isRepeatableDecision.ts'
import type { VerificationDeps, VerificationInput } from '../verification/verificationDeps.ts'
import { verifyAccess } from '../verification/verifyAccess.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { type ReadEvaluationDeps, readEvaluation } from './readEvaluation.ts'

export type EvaluateAccessDeps = ReadEvaluationDeps & { verification: VerificationDeps }

export type EvaluateAccessInput = {
  principal: ApiKeyPrincipal
  evaluation: unknown
  now: number
  once: Once
  waitForHost: WaitForHost
}

/** The response to an evaluation; its context reveals nothing of either policy. */
export type EvaluatedAccess = { decision: boolean; context: Record<string, unknown> }

/** A response, and whether it may be repeated while the parties are unchanged (`isRepeatableDecision`). */
export type Evaluated<Body> = { body: Body; isRepeatable: boolean }

/** The members of a verify-access response on which the decision and its context are based. */
const answerSchema = z.object({
  access: z.object({
    accessLevel: z.string(),
    reason: z.string(),
    failures: z
      .array(
        z.object({
          ...{ dimension: z.string(), message: z.string(), guidance: z.string() },
          ...{ cause: z.string().optional(), docsUrl: z.string().optional() },
        }),
      )
      .optional(),
  }),
  recommendation: z.enum(['grant', 'deny', 'step_up_required', 'audit']),
  sessionId: z.string().optional(),
  correlationId: z.string().optional(),
  auditRecordId: z.string().optional(),
  stepUpApproval: z.looseObject({}).optional(),
  identityProof: z.string().optional(),
  receipt: z.string().optional(),
})

/**
 * Evaluates an AuthZEN request by verifying access, with the same decision, record and counters.
 *
 * @throws ApiError VALIDATION_ERROR with pointers into the evaluation, COUNTERPARTY_KEY_MISMATCH, SERVICE_UNAVAILABLE; as
 * `WaitForHost`.
 * Source: AuthZEN Authorization API 1.0 §6; `Spec: POST /api/agents/verify-access`.
 */
export async function evaluateAccess(
  deps: EvaluateAccessDeps,
  { principal, evaluation, now, once, waitForHost }: EvaluateAccessInput,
): Promise<Evaluated<EvaluatedAccess>> {
  const { request, restateError } = await readEvaluation(deps, principal, evaluation)
  const verified = await once(() => verify(deps, { principal, request, now, waitForHost }, restateError))
  const answer = answerSchema.parse(verified)
  return { body: toEvaluation(answer), isRepeatable: isRepeatableDecision(answer, request) }
}

/**
 * Translates errors of verify-access to the evaluation; a wrong attempt is an invalid member, because AuthZEN has no 409.
 */
async function verify(
  deps: EvaluateAccessDeps,
  input: VerificationInput,
  restateError: (error: FieldError) => FieldError,
): Promise<object> {
  try {
    return await verifyAccess(deps.verification, input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, errors } = error
    if (code === 'ATTEMPT_MISMATCH') {
      throw validationError([{ pointer: '/context/attemptId', code: 'attempt_mismatch', message }])
    }
    if (errors === undefined) throw error
    throw validationError(errors.map(restateError))
  }
}

function toEvaluation(answer: z.output<typeof answerSchema>): EvaluatedAccess {
  const { access, recommendation, sessionId, correlationId, auditRecordId, ...more } = answer
  const { accessLevel, reason, failures } = access
  return {
    decision: recommendation === 'grant' || recommendation === 'audit',
    context: {
      recommendation,
      accessLevel,
      reason,
      failures,
      sessionId,
      correlationId,
      auditRecordId,
      ...more,
    },
  }
}
