import { evaluationsOf } from '@svc/core/authzen/evaluation.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { z } from 'zod'
import { validationError } from '../../errors.ts'

/** Maximum evaluations per batch. */
const EVALUATIONS_MAX = 100

const batchSchema = z.looseObject({
  subject: z.looseObject({}).optional(),
  action: z.looseObject({}).optional(),
  resource: z.looseObject({}).optional(),
  context: z.looseObject({}).optional(),
  evaluations: z.array(z.unknown()).max(EVALUATIONS_MAX).optional(),
  options: z
    .looseObject({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .optional(),
    })
    .optional(),
})

/** The decision after which nothing more of a batch is evaluated, by its semantic. */
const SETTLED_AT = { execute_all: null, deny_on_first_deny: false, permit_on_first_permit: true } as const

/** A batch: its evaluations, null if it is itself a single one, and the decision that ends it early. */
export type Batch = { items: unknown[] | null; settlesAt: boolean | null }

/**
 * Reads an AuthZEN batch; its evaluations are not validated, so that an invalid one does not affect the others.
 *
 * @throws ApiError VALIDATION_ERROR if the batch as a whole is invalid. Source: AuthZEN Authorization API 1.0 §7.1.
 */
export function readBatch(batch: unknown): Batch {
  const parsed = parseWith(batchSchema, batch)
  if (!parsed.ok) throw validationError(parsed.errors)
  const semantic = parsed.value.options?.evaluations_semantic ?? 'execute_all'
  return { items: evaluationsOf(parsed.value), settlesAt: SETTLED_AT[semantic] }
}
