import { z } from 'zod'
import { evaluationSchema } from '../authzen/evaluation.ts'

/** The context is an open object. Source: AuthZEN Authorization API 1.0 §5.5. */
const evaluated = z.object({ decision: z.boolean(), context: z.looseObject({}) })

/** Schemas that the AuthZEN operations share. Source: AuthZEN Authorization API 1.0 §6, §7. */
const accessEvaluationSchemas = {
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

/** Request and response schemas of the operations, by method and path. */
export const authzenOperations = {
  'POST /access/v1/evaluation': {
    body: accessEvaluationSchemas.evaluation,
    answer: accessEvaluationSchemas.evaluated,
  },
  'POST /access/v1/evaluations': {
    body: accessEvaluationSchemas.batch,
    answer: accessEvaluationSchemas.evaluatedBatch,
  },
  'GET /.well-known/authzen-configuration': {
    answer: z.object({
      policy_decision_point: z.string(),
      access_evaluation_endpoint: z.string(),
      access_evaluations_endpoint: z.string(),
    }),
  },
} as const
