import type { Evaluation, EvaluationFacts } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'
import { compilePolicy } from './compilePolicy.ts'
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
  const compiled = compilePolicy(policyFile)
  return {
    policyFile,
    evaluate: (request, now, facts) =>
      compiled.evaluate(request, facts === undefined ? { now } : { now, facts }),
  }
}
