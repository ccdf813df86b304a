import type { FieldError } from '@svc/core/fieldErrors.ts'

/** A field error with the place in the file; lines and columns count from 1, 0 where there is no place. */
export type PolicyFieldError = FieldError & { line: number; column: number }

/** A policy file, or a request given to the evaluator, that cannot be used; the message lists what is wrong and where. */
export class EvaluatePolicyError extends Error {
  override readonly name = 'EvaluatePolicyError'
  readonly errors: readonly PolicyFieldError[]

  constructor(subject: string, errors: readonly PolicyFieldError[], options?: ErrorOptions) {
    super([subject, ...errors.map(lineOf)].join('\n  '), options)
    this.errors = errors
  }
}

function lineOf({ pointer, line, column, message }: PolicyFieldError): string {
  const place = line > 0 ? `${line}:${column} ` : ''
  return `${place}${pointer === '' ? '' : `${pointer}: `}${message}`
}
