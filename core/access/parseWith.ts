import type { z } from 'zod'
import type { FieldError } from './fieldError.ts'
import { fieldErrorsOf } from './fieldErrorsOf.ts'

/** A parsed value, or everything that is wrong with the input. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; errors: FieldError[] }

/** Parses untyped input with a schema and answers field errors instead of throwing. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(input, { reportInput: true })
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: fieldErrorsOf(result.error) }
}
