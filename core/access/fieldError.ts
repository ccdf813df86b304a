/**
 * One thing that is wrong in an input, and where.
 *
 * `code` is for programs (`invalid_type`, `required`, `unknown_key`, `too_big` …), `message` for people: it says
 * what was got and what was expected, without repeating long values. Spec: Errors (format not shown).
 */
export type FieldError = {
  /** RFC 6901; the empty string is the whole input. */
  pointer: string
  code: string
  message: string
}
