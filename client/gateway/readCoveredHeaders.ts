import type { readHeaders } from '../http/readHeaders.ts'

type Headers = ReturnType<typeof readHeaders>

/** The service takes no more, and no longer values. */
const COVERED_MAX = 40
const CHARACTERS_MAX = 8_192
/** What these carry is a secret of the caller, so the service must not see it. */
const SECRET = /authorization|cookie|token|secret|passw|api-?key|credential/
/** Handed over under names of their own. */
const HANDED_OVER = ['content-digest', 'signature', 'signature-input']

/**
 * Returns the names that each signature of a request covers: derived components and headers.
 *
 * Only what stands where a component stands is read; a text among the parameters may contain anything.
 *
 * Source: RFC 9421 §4.1.
 */
export function listCoveredNames({ 'signature-input': input = '' }: Headers): string[][] {
  const lists: string[][] = []
  let open: string[] | undefined
  for (const [token, text] of input.matchAll(/=?"((?:[^"\\]|\\.)*)"|[()]/g)) {
    if (token === '(') {
      open = []
      lists.push(open)
    } else if (token === ')') open = undefined
    else if (!token.startsWith('=') && text !== undefined) open?.push(text)
  }
  return lists
}

/**
 * Returns the headers that the signatures of a request cover, by lower-case name, for the service to verify.
 *
 * A header whose name says that it is secret (`Authorization`, `Cookie`, `X-Svc-Token` …) is left out, and so a signature
 * that covers it cannot be verified.
 */
export function readCoveredHeaders(headers: Headers): Record<string, string> {
  const covered: Record<string, string> = {}
  for (const name of listCoveredNames(headers).flat().slice(0, COVERED_MAX)) {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    const isUsable = value !== undefined && value.length <= CHARACTERS_MAX && !SECRET.test(name)
    if (isUsable && !HANDED_OVER.includes(name)) covered[name] = value
  }
  return covered
}
