import type { Recommendation } from '@svc/core/access/decision.ts'
import type { Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'

const MEANING: Readonly<Record<Recommendation, string>> = {
  grant: 'granted',
  audit: 'let through, with a warning to the counterparty',
  deny: 'denied',
  step_up_required: 'not done before the owner has approved it',
}

/** A decision in words: what it is, why, and of each dimension that stands against it what to do next. */
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
