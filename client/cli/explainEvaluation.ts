import type { Recommendation } from '@svc/core/access/decision.ts'
import type { Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'

const MEANING: Readonly<Record<Recommendation, string>> = {
  grant: 'granted',
  audit: 'allowed, with a warning to the counterparty',
  deny: 'denied',
  step_up_required: 'waits for the owner’s approval',
}

/** Explains a decision: the outcome, the reason and, for each failed dimension, what to do next. */
export function explainEvaluation({ recommendation, access, failures }: Evaluation): string[] {
  return [
    `${recommendation}: ${MEANING[recommendation]}, access level ${access.accessLevel}`,
    `  ${access.reason}`,
    ...failures.flatMap(({ dimension, message, guidance }) => [
      `  ${dimension}: ${message}`,
      `    ${guidance}`,
    ]),
  ]
}
