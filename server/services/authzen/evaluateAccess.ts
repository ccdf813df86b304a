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
  /** `SVCE-` identifier of the caller's only active endpoint; null if it has none or several. */
  soleEndpoint(principal: ApiKeyPrincipal): Promise<string | null>
}

export type EvaluateAccessInput = {
  principal: ApiKeyPrincipal
  evaluation: unknown
  now: number
  once: Once
}

/** The response to an evaluation; its context reveals nothing of either policy. */
export type EvaluatedAccess = { decision: boolean; context: Record<string, unknown> }

/** Access levels, lowest first; `none` never grants access. */
const LEVELS = ['restricted', 'read-only', 'standard', 'full', 'internal'] as const
/**
 * The lowest level that counts as `true` unless the caller names another. At `restricted`, the action was not judged and
 * the enforcement point must allow reading only, so the caller has to opt in.
 */
const LEAST_DEFAULT = 'read-only'

const least = z.object({ context: z.object({ minAccessLevel: z.enum(LEVELS).optional() }).optional() })

/** The members of a verify-access response on which the decision and its context are based. */
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
  identityProof: z.string().optional(),
})

/**
 * Evaluates an AuthZEN request by verifying access, with the same decision, record and counters.
 *
 * @throws ApiError VALIDATION_ERROR with pointers into the evaluation, COUNTERPARTY_KEY_MISMATCH, SERVICE_UNAVAILABLE.
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
  const { body, pointers, misplaced } = verificationBodyOf(parsed.value)
  if (misplaced.length > 0) throw validationError(misplaced)
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

/**
 * Translates errors of verify-access to the evaluation; a wrong attempt is an invalid member, because AuthZEN has no 409.
 */
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
  const { access, recommendation, sessionId, correlationId, auditRecordId, ...more } = answer
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
      ...more,
    },
  }
}
