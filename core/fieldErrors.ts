import type { z } from 'zod'
import { escapePointerToken } from './json.ts'

/**
 * One error in an input, and where it is.
 *
 * `code` is for programs (`invalid_type`, `required`, `unknown_key`, `too_big` …) and `message` for people: it says what
 * was expected and what was received, without repeating long values. Spec: Errors (format not shown).
 */
export type FieldError = {
  /** RFC 6901; the empty string is the whole input. */
  pointer: string
  code: string
  message: string
}

/** A parsed value, or every error in the input. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; errors: FieldError[] }

/** Parses untyped input with a schema, and returns field errors instead of throwing. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(input, { reportInput: true })
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: fieldErrorsOf(result.error) }
}

const ERRORS_MAX = 50
const ECHO_CHARS_MAX = 40

type Issue = z.core.$ZodIssue

/**
 * The public field errors of a failed parse, at most 50 and none twice.
 *
 * When the schema was run with `{ reportInput: true }`, messages also say which value was received. A long value is
 * described by its length and never repeated. Pointers follow RFC 6901.
 */
export function fieldErrorsOf(zodError: Pick<z.core.$ZodError, 'issues'>): FieldError[] {
  const errors = zodError.issues.flatMap(errorsOfIssue).slice(0, ERRORS_MAX)
  return errors.filter((error, at) => errors.findIndex((other) => isSame(error, other)) === at)
}

/** The check for integers and the check of the range report the same integer. */
function isSame(a: FieldError, b: FieldError): boolean {
  return a.pointer === b.pointer && a.code === b.code && a.message === b.message
}

function errorsOfIssue(issue: Issue): FieldError[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, ERRORS_MAX).map((key) => ({
      pointer: `${pointer}/${escapePointerToken(key)}`,
      code: 'unknown_key',
      message: 'unknown field; a misspelt rule would silently have no effect',
    }))
  }
  return [{ pointer, code: codeOf(issue), message: messageOf(issue) }]
}

function codeOf(issue: Issue): string {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && isMissing(issue)) return 'required'
  if (issue.code === 'custom' && typeof issue.params?.code === 'string') return issue.params.code
  return issue.code
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue)
        ? `required: ${withArticle(issue.expected)}`
        : `expected ${withArticle(issue.expected)}${describeReceived(issue)}`
    case 'too_big':
      return `expected at most ${withUnit(issue.maximum, issue.origin)}${describeReceived(issue)}`
    case 'too_small':
      return `expected at least ${withUnit(issue.minimum, issue.origin)}${describeReceived(issue)}`
    case 'invalid_value': {
      const choices = `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
      return isMissing(issue) ? `required: ${choices}` : `expected ${choices}${describeReceived(issue)}`
    }
    default:
      return issue.message
  }
}

function isMissing(issue: Issue): boolean {
  return 'input' in issue ? issue.input === undefined : issue.message.endsWith('received undefined')
}

function describeReceived(issue: Issue): string {
  if ('input' in issue) return `, got ${describe(issue.input)}`
  const received = /received (\w+)$/.exec(issue.message)?.[1]
  // Coercion turns a missing value or a text into NaN, which the caller did not send.
  return received === undefined || received === 'NaN' ? '' : `, got ${received}`
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'an integer'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

/** Keys are the origins in zod's issues `too_big` and `too_small`. */
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' }

function withUnit(bound: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  if (unit === undefined) return String(bound)
  return `${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`
}

function describe(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return `an array of ${input.length}`
  if (typeof input === 'string') {
    return input.length <= ECHO_CHARS_MAX ? JSON.stringify(input) : `a string of ${input.length} characters`
  }
  if (typeof input === 'number') return String(input)
  return withArticle(typeof input)
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((token) => `/${escapePointerToken(String(token))}`).join('')
}
