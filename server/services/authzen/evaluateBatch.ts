import { ApiError } from '../../errors.ts'
import type { Once } from '../idempotency/answerOnce.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { WaitForHost } from '../waitForHost.ts'
import {
  type EvaluateAccessDeps,
  type Evaluated,
  type EvaluatedAccess,
  evaluateAccess,
} from './evaluateAccess.ts'
import { readBatch } from './readBatch.ts'
import { shareSoleEndpoint } from './readEvaluation.ts'

export type EvaluateBatchInput = {
  principal: ApiKeyPrincipal
  batch: unknown
  now: number
  once: Once
  waitForHost: WaitForHost
  /**
   * Counts a further evaluation against the rate limit, unless it has been counted, and returns the current caller.
   *
   * @throws ApiError RATE_LIMITED; UNAUTHENTICATED if the credential was revoked meanwhile.
   */
  takeAnother(): Promise<ApiKeyPrincipal>
}

export type EvaluateBatchDeps = EvaluateAccessDeps & {
  clock: () => number
  /** Runs one of the evaluations as a part of the request. */
  runPart<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** The single response if the batch is one evaluation, otherwise those of its evaluations in order. */
export type EvaluatedBatch = EvaluatedAccess | { evaluations: EvaluatedAccess[] }

/**
 * Evaluates a batch of AuthZEN requests one after another, because each may spend what the next one counts. Each counts
 * against the caller's rate limit; those beyond it are denied. Each is decided at the time of its turn, because an agent
 * may be challenged in between and take any length of time.
 *
 * An invalid evaluation is denied, and its context says why; the others are evaluated. With `deny_on_first_deny` and
 * `permit_on_first_permit`, nothing after the deciding response is evaluated. The response may be repeated if each of its
 * evaluations may.
 *
 * @throws ApiError VALIDATION_ERROR if the batch as a whole is invalid, SERVICE_UNAVAILABLE. Source: AuthZEN Authorization
 * API 1.0 §7.
 */
export async function evaluateBatch(
  deps: EvaluateBatchDeps,
  { principal, batch, now, takeAnother, ...use }: EvaluateBatchInput,
): Promise<Evaluated<EvaluatedBatch>> {
  const { items, settlesAt } = readBatch(batch)
  if (items === null) return evaluateAccess(deps, { principal, evaluation: batch, now, ...use })
  const shared = shareSoleEndpoint(deps)
  const evaluations: EvaluatedAccess[] = []
  let isRepeatable = true
  for (const [place, evaluation] of items.entries()) {
    const evaluate = async () =>
      place === 0
        ? evaluateAccess(shared, { principal, evaluation, now, ...use })
        : evaluateAccess(shared, { principal: await takeAnother(), evaluation, now: deps.clock(), ...use })
    const answer = await denyOnError(() => deps.runPart(String(place), evaluate))
    evaluations.push(answer.body)
    isRepeatable &&= answer.isRepeatable
    if (answer.body.decision === settlesAt) break
  }
  return { body: { evaluations }, isRepeatable }
}

async function denyOnError(
  evaluate: () => Promise<Evaluated<EvaluatedAccess>>,
): Promise<Evaluated<EvaluatedAccess>> {
  try {
    return await evaluate()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const { status, code, message, errors } = error
    return {
      body: { decision: false, context: { error: { status, code, message, errors } } },
      isRepeatable: true,
    }
  }
}
