import { parseVerificationRequest, type VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { evaluationSchema } from '@svc/core/authzen/evaluation.ts'
import { type MappedBody, verificationBodyOf } from '@svc/core/authzen/verificationBodyOf.ts'
import { type FieldError, parseWith } from '@svc/core/fieldErrors.ts'
import { z } from 'zod'
import { validationError } from '../../errors.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { moveForeignName } from '../verification/proofs/resolveCredentials.ts'

export type ReadEvaluationDeps = {
  /** `SVCE-` identifier of the caller's only active endpoint; null if it has none or several. */
  soleEndpoint(principal: ApiKeyPrincipal): Promise<string | null>
}

/** The same dependencies for all evaluations of a batch: the caller's only endpoint is looked up once. */
export function shareSoleEndpoint<Deps extends ReadEvaluationDeps>(deps: Deps): Deps {
  let found: Promise<string | null> | undefined
  return {
    ...deps,
    soleEndpoint(principal: ApiKeyPrincipal) {
      found ??= deps.soleEndpoint(principal)
      return found
    },
  }
}

/** Access levels, lowest first; `none` never grants access. */
const LEVELS = ['restricted', 'read-only', 'standard', 'full', 'internal'] as const
/**
 * The lowest level that counts as `true` unless the caller names another. At `restricted`, the action was not judged and
 * the enforcement point must allow reading only, so the caller has to opt in.
 */
const LEAST_DEFAULT = 'read-only'

const least = z.object({ context: z.object({ minAccessLevel: z.enum(LEVELS).optional() }).optional() })

/** An evaluation as the request that verify-access decides; `restateError` translates an error about it back. */
export type ReadEvaluation = {
  request: VerificationRequest
  restateError(error: FieldError): FieldError
}

/**
 * Reads an AuthZEN evaluation as a request to verify access. One that names no endpoint concerns the caller's only one.
 *
 * @throws ApiError VALIDATION_ERROR with pointers into the evaluation. Source: AuthZEN Authorization API 1.0 §6.
 */
export async function readEvaluation(
  { soleEndpoint }: ReadEvaluationDeps,
  principal: ApiKeyPrincipal,
  evaluation: unknown,
): Promise<ReadEvaluation> {
  const parsed = parseWith(evaluationSchema, evaluation)
  if (!parsed.ok) throw validationError(parsed.errors)
  const limits = parseWith(least, evaluation)
  if (!limits.ok) throw validationError(limits.errors)
  const { body, pointers, misplaced } = verificationBodyOf(parsed.value)
  if (misplaced.length > 0) throw validationError(misplaced)
  if (body.counterpartyId === undefined && body.counterpartyUrl === undefined) {
    body.counterpartyId = (await soleEndpoint(principal)) ?? undefined
    if (body.counterpartyId === undefined) throw validationError([COUNTERPARTY_MISSING])
  }
  const restateError = (error: FieldError) => moveError(error, pointers)
  const request = parseVerificationRequest(body)
  if (!request.ok) throw validationError(request.errors.map(restateError))
  const minAccessLevel = limits.value.context?.minAccessLevel ?? LEAST_DEFAULT
  return { request: { ...moveForeignName(request.request), minAccessLevel }, restateError }
}

const COUNTERPARTY_MISSING: FieldError = {
  pointer: '/resource/properties/counterpartyId',
  code: 'required',
  message: 'name the endpoint by counterpartyId or counterpartyUrl: the key’s account has not exactly one',
}

function moveError(error: FieldError, pointers: MappedBody['pointers']): FieldError {
  const [, member = '', ...rest] = error.pointer.split('/')
  const pointer = pointers[member]
  return pointer === undefined ? error : { ...error, pointer: [pointer, ...rest].join('/') }
}
