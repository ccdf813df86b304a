import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: AuthZEN Authorization API 1.0 §9 (policy decision point metadata). */
export const getAuthzenConfiguration: Operation = {
  summary: 'Tells AuthZEN clients where to ask for decisions.',
  answer: z.object({
    policy_decision_point: z.string(),
    access_evaluation_endpoint: z.string(),
    access_evaluations_endpoint: z.string(),
  }),
  errors: [],
  handle:
    ({ authzen }) =>
    () => ({
      body: {
        policy_decision_point: authzen.publicUrl,
        access_evaluation_endpoint: `${authzen.publicUrl}/access/v1/evaluation`,
        access_evaluations_endpoint: `${authzen.publicUrl}/access/v1/evaluations`,
      },
    }),
}
