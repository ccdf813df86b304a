import { fieldErrorsOf } from '@svc/core/fieldErrors.ts'
import type { z } from 'zod'
import { validationError } from '../errors.ts'

/**
 * Parses untyped input with the schema of the operation.
 *
 * @throws ApiError VALIDATION_ERROR that names every invalid field by JSON pointer.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (!parsed.success) throw validationError(fieldErrorsOf(parsed.error))
  return parsed.data
}
