import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import {
  compilePolicyEvaluator,
  type Evaluation,
  type EvaluationFacts,
} from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import { parsePolicyFile } from '@svc/core/policyFile/parsePolicyFile.ts'
import { EvaluatePolicyError } from './evaluatePolicyError.ts'

/** A compiled policy. */
export type PolicyEvaluator = {
  /**
   * Decides on a request with the field names of verify-access, without an account, a network or a clock.
   *
   * State that only a server has, such as the amount already spent, is passed as facts; rules about missing facts are not
   * checked.
   *
   * @param context `now` is in epoch milliseconds.
   * @throws EvaluatePolicyError naming every invalid field of the request; TypeError without `now`.
   */
  evaluate(request: unknown, context: { now: number; facts?: EvaluationFacts }): Evaluation
}

/**
 * Compiles a policy, given as an object or read by `loadPolicy`; each decision then takes well under a microsecond. The
 * service runs the same decision code.
 *
 * @throws EvaluatePolicyError naming every invalid field of the policy.
 * Source: Spec: What the service does 9; Local policy evaluation time.
 */
export function compilePolicy(policy: unknown): PolicyEvaluator {
  const parsed = parsePolicyFile(policy)
  if (!parsed.ok) throw invalid('The policy is invalid:', parsed.errors)
  const evaluate = compilePolicyEvaluator(parsed.policyFile)
  return {
    evaluate(request, context) {
      // JavaScript callers may leave it out, and rules about time would then be decided arbitrarily.
      if (!Number.isFinite(context?.now)) throw new TypeError('evaluate needs { now } in epoch milliseconds')
      const { now, facts } = context
      const fields = parseRequestFields(request)
      if (fields.ok) return evaluate(fields.request, now, facts)
      throw invalid('The request is invalid:', fields.errors)
    },
  }
}

function invalid(subject: string, errors: readonly { pointer: string; code: string; message: string }[]) {
  const positioned = errors.map((error) => ({ ...error, line: 0, column: 0 }))
  return new EvaluatePolicyError(subject, positioned)
}
