import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import {
  compilePolicyEvaluator,
  type Evaluation,
  type EvaluationFacts,
} from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import { parsePolicyFile } from '@svc/core/policyFile/policyFile.ts'
import { EvaluatePolicyError } from './evaluatePolicyError.ts'

/** A policy made ready for decisions. */
export type PolicyEvaluator = {
  /**
   * Decides on a request with the field names of verify-access; no account, no network, no clock of its own.
   *
   * State that only a server has is given as facts, and what is left out is not checked.
   *
   * @param context `now` in epoch milliseconds.
   * @throws EvaluatePolicyError when the request has bad fields, naming each; TypeError without `now`.
   */
  evaluate(request: unknown, context: { now: number; facts?: EvaluationFacts }): Evaluation
}

/**
 * Compiles a policy, as `loadPolicy` reads it or written as an object, once; every decision then takes well under a
 * microsecond. It is the same decision code that the service runs.
 *
 * @throws EvaluatePolicyError when the policy has mistakes, naming the field of each.
 * Source: Spec: What the service does 9; Local policy evaluation time.
 */
export function compilePolicy(policy: unknown): PolicyEvaluator {
  const parsed = parsePolicyFile(policy)
  if (!parsed.ok) throw failed('The policy cannot be used:', parsed.errors)
  const evaluate = compilePolicyEvaluator(parsed.policyFile)
  return {
    evaluate(request, context) {
      // Whoever has no types: without a time, what depends on it would be decided anyhow.
      if (!Number.isFinite(context?.now)) throw new TypeError('evaluate takes { now } in epoch milliseconds')
      const { now, facts } = context
      const fields = parseRequestFields(request)
      if (fields.ok) return evaluate(fields.request, now, facts)
      throw failed('The request cannot be evaluated:', fields.errors)
    },
  }
}

function failed(subject: string, errors: readonly { pointer: string; code: string; message: string }[]) {
  const placed = errors.map((error) => ({ ...error, line: 0, column: 0 }))
  return new EvaluatePolicyError(subject, placed)
}
