import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { evaluationSchema } from '@svc/core/authzen/evaluation.ts'
import { type MappedBody, verificationBodyOf } from '@svc/core/authzen/verificationBodyOf.ts'
import { type FieldError, parseWith } from '@svc/core/fieldErrors.ts'
import { z } from 'zod'
import { ApiError, validationError } from '../../errors.ts'
import type { Once } from '../idempotency/answerOnce.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { VerificationDeps, VerificationInput } from '../verification/verificationDeps.ts'
import { verifyAccess } from '../verification/verifyAccess.ts'

export type EvaluateAccessDeps = {
  verification: VerificationDeps
  /** `SVCE-` identifier of the caller's one active endpoint; null when it has none or several. */
  soleEndpoint(principal: ApiKeyPrincipal): Promise<string | null>
}

export type EvaluateAccessInput = {
  principal: ApiKeyPrincipal
  evaluation: unknown
  now: number
  once: Once
}

/** The answer to an evaluation; the context says nothing of either side's policy. */
export type EvaluatedAccess = { decision: boolean; context: Record<string, unknown> }

/** Access levels from the lowest; a caller at `none` is never let in. */
const LEVELS = ['restricted', 'read-only', 'standard', 'full', 'internal'] as const
/**
 * The least that is a yes where the caller does not say. At `restricted` nobody has judged the action: the enforcement
 * point itself has to keep to reading, so it has to say that it does.
 */
const LEAST_DEFAULT = 'read-only'

const least = z.object({ context: z.object({ minAccessLevel: z.enum(LEVELS).optional() }).optional() })

/** What of an answer of verify-access a decision is made of, and what its context shows. */
const answerSchema = z.object({
  access: z.object({
    accessLevel: z.string(),
    reason: z.string(),
    failures: z
      .array(z.object({ dimension: z.string(), message: z.string(), guidance: z.string() }))
      .optional(),
  }),
  recommendation: z.enum(['grant', 'deny', 'step_up_required', 'audit']),
  sessionId: z.string().optional(),
  correlationId: z.string().optional(),
  auditRecordId: z.string().optional(),
  stepUpApproval: z.looseObject({}).optional(),
})

/**
 * Answers one AuthZEN evaluation by verifying access: the same decision, record and counters.
 *
 * @throws ApiError VALIDATION_ERROR whose pointers lead into the evaluation, COUNTERPARTY_KEY_MISMATCH,
 *   SERVICE_UNAVAILABLE.
 * Source: AuthZEN Authorization API 1.0 §6; `Spec: POST /api/agents/verify-access`.
 */
export async function evaluateAccess(
  deps: EvaluateAccessDeps,
  { principal, evaluation, now, once }: EvaluateAccessInput,
): Promise<EvaluatedAccess> {
  const parsed = parseWith(evaluationSchema, evaluation)
  if (!parsed.ok) throw validationError(parsed.errors)
  const limits = parseWith(least, evaluation)
  if (!limits.ok) throw validationError(limits.errors)
  const { body, pointers } = verificationBodyOf(parsed.value)
  if (body.counterpartyId === undefined && body.counterpartyUrl === undefined) {
    body.counterpartyId = (await deps.soleEndpoint(principal)) ?? undefined
    if (body.counterpartyId === undefined) throw validationError([COUNTERPARTY_MISSING])
  }
  const request = parseVerificationRequest(body)
  if (!request.ok) throw validationError(request.errors.map((error) => moveError(error, pointers)))
  const answer = await once(() => verified(deps, { principal, request: request.request, now }, pointers))
  const minAccessLevel = limits.value.context?.minAccessLevel ?? LEAST_DEFAULT
  return toEvaluation(answerSchema.parse(answer), minAccessLevel)
}

const COUNTERPARTY_MISSING: FieldError = {
  pointer: '/resource/properties/counterpartyId',
  code: 'required',
  message: 'name the endpoint by counterpartyId or counterpartyUrl: the key’s account has not exactly one',
}

/** Errors of verify-access as those of the evaluation; a wrong attempt is a wrong member here, where 409 is not known. */
async function verified(
  deps: EvaluateAccessDeps,
  input: VerificationInput,
  pointers: MappedBody['pointers'],
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
    throw validationError(errors.map((each) => moveError(each, pointers)))
  }
}

function moveError(error: FieldError, pointers: MappedBody['pointers']): FieldError {
  const [, member = '', ...rest] = error.pointer.split('/')
  const pointer = pointers[member]
  return pointer === undefined ? error : { ...error, pointer: [pointer, ...rest].join('/') }
}

function toEvaluation(
  answer: z.output<typeof answerSchema>,
  minAccessLevel: (typeof LEVELS)[number],
): EvaluatedAccess {
  const { access, recommendation, sessionId, correlationId, auditRecordId, stepUpApproval } = answer
  const { accessLevel, reason, failures } = access
  const isAdmitted = recommendation === 'grant' || recommendation === 'audit'
  const reaches = (LEVELS as readonly string[]).indexOf(accessLevel) >= LEVELS.indexOf(minAccessLevel)
  return {
    decision: isAdmitted && reaches,
    context: {
      recommendation,
      accessLevel,
      reason: isAdmitted && !reaches ? 'The access level is below the least that was asked for.' : reason,
      failures,
      sessionId,
      correlationId,
      auditRecordId,
      stepUpApproval,
    },
  }
}
