import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import { compilePolicyEvaluator, type Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import type { EvaluationFacts } from '@svc/core/policyFile/evaluationFacts.ts'
import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'
import { EvaluatePolicyError } from './evaluatePolicyError.ts'
import { readPolicyText } from './readPolicyText.ts'

/** A policy file made ready for decisions. */
export type PolicyEvaluator = {
  policyFile: PolicyFile
  /**
   * Decides on a request with the field names of verify-access; no account, no network, no clock of its own.
   *
   * `now` in epoch milliseconds. State that only a server has is given as facts, and what is left out is not checked.
   *
   * @throws EvaluatePolicyError when the request has bad fields, naming each.
   */
  evaluate: (request: unknown, now: number, facts?: EvaluationFacts) => Evaluation
}

/**
 * Compiles the text of a policy file (YAML or JSON) once; every decision then takes well under a microsecond.
 *
 * It is the same decision code that the service runs. Spec: What the service does 9; Local policy evaluation time.
 *
 * @throws EvaluatePolicyError when the text has mistakes, naming line, column and field of each.
 */
export function compilePolicyFile(text: string): PolicyEvaluator {
  const policyFile = readPolicyText(text)
  const evaluate = compilePolicyEvaluator(policyFile)
  return {
    policyFile,
    evaluate(request, now, facts) {
      const parsed = parseRequestFields(request)
      if (parsed.ok) return evaluate(parsed.request, now, facts)
      const errors = parsed.errors.map((error) => ({ ...error, line: 0, column: 0 }))
      throw new EvaluatePolicyError('The request cannot be evaluated:', errors)
    },
  }
}
