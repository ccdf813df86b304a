import { evaluationSchema } from '@svc/core/authzen/evaluationSchema.ts'
import { z } from 'zod'

const evaluated = z.object({ decision: z.boolean(), context: z.looseObject({}) })

/** What the operations of the AuthZEN door take and answer. Source: AuthZEN Authorization API 1.0 §6, §7. */
export const accessEvaluationSchemas = {
  evaluation: evaluationSchema,
  evaluated,
  batch: evaluationSchema.partial().extend({
    evaluations: z.array(evaluationSchema.partial()).optional(),
    options: z
      .looseObject({
        evaluations_semantic: z
          .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
          .optional(),
      })
      .optional(),
  }),
  evaluatedBatch: z.union([z.object({ evaluations: z.array(evaluated) }), evaluated]),
} as const
