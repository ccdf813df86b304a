import type { FieldError } from '@svc/core/fieldErrors.ts'
import { isStorable } from '@svc/core/isStorable.ts'
import { escapePointerToken } from '@svc/core/json.ts'
import { apiError, validationError } from '../errors.ts'
import { findJsonFault } from './findJsonFault.ts'

/**
 * Parses JSON from outside.
 *
 * Strings with a NUL or a lone surrogate are rejected here for all routes: neither can be stored or canonicalised (RFC 8785
 * §3.2.2.2), and JSON can only express them by escapes.
 *
 * @throws ApiError MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseJsonText(text: string): unknown {
  const value = parse(text)
  if (text.includes('\\u')) {
    const errors: FieldError[] = []
    collectBadStrings(value, '', errors)
    if (errors.length > 0) throw validationError(errors)
  }
  return value
}

/** The parser's error is replaced, because it quotes the text, which may be a password. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw apiError('MALFORMED_JSON', { message: describeFault(text) })
  }
}

function describeFault(text: string): string {
  const { line, column, expected } = findJsonFault(text) ?? { line: 1, column: 1, expected: 'JSON' }
  const problem = expected === null ? 'it ends too early' : `expected ${expected}`
  return `The body is not valid JSON at line ${line}, column ${column}: ${problem}.`
}

/** Maximum length of a pointer, so that a response is never many times the size of its request. */
const POINTER_MAX = 512

function collectBadStrings(root: unknown, rootPointer: string, errors: FieldError[]): void {
  const pending: { value: unknown; pointer: string }[] = [{ value: root, pointer: rootPointer }]
  for (let at = pending.pop(); at && errors.length < 20; at = pending.pop()) {
    const { value, pointer } = at
    if (typeof value === 'string' && !isStorable(value)) errors.push(badString(pointer))
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key)) errors.push(badString(pointer))
      else pending.push({ value: member, pointer: extendPointer(pointer, key) })
    }
  }
}

function extendPointer(pointer: string, key: string): string {
  return pointer.length < POINTER_MAX ? `${pointer}/${escapePointerToken(key)}` : pointer
}

function badString(pointer: string): FieldError {
  return { pointer, code: 'invalid_string', message: 'contains a NUL character or a lone surrogate' }
}
