import type { FieldError } from '@svc/core/fieldErrors.ts'

/** A field error with its position in the file. Lines and columns count from 1; both are 0 if there is no position. */
export type PolicyFieldError = FieldError & { line: number; column: number }

/** A policy file, or a request to evaluate, that is invalid; the message lists every mistake and its position. */
export class EvaluatePolicyError extends Error {
  override readonly name = 'EvaluatePolicyError'
  readonly errors: readonly PolicyFieldError[]

  constructor(subject: string, errors: readonly PolicyFieldError[], options?: ErrorOptions) {
    super([subject, ...errors.map(formatError)].join('\n  '), options)
    this.errors = errors
  }
}

function formatError({ pointer, line, column, message }: PolicyFieldError): string {
  const position = line > 0 ? `${line}:${column} ` : ''
  return `${position}${pointer === '' ? '' : `${pointer}: `}${message}`
}
