import { readPlainComponents } from '@svc/core/signing/parsePlainSignature.ts'
import type { readHeaders } from '../http/readHeaders.ts'

type Headers = ReturnType<typeof readHeaders>

/** The service takes no more headers, and no longer values. */
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
  const plain = readPlainComponents(input)
  if (plain !== undefined) return [plain]
  const lists: string[][] = []
  let open: string[] | undefined
  for (let at = 0; at < input.length; at += 1) {
    const character = input[at]
    if (character === '(') {
      open = []
      lists.push(open)
    } else if (character === ')') open = undefined
    else if (character === '"') {
      const end = findClosingQuote(input, at + 1)
      if (end === -1) break
      if (input[at - 1] !== '=') open?.push(input.slice(at + 1, end))
      at = end
    }
  }
  return lists
}

/** Returns -1 for a text that does not end. A backslash takes away the meaning of the character behind it. */
function findClosingQuote(input: string, from: number): number {
  for (let at = from; at < input.length; at += 1) {
    const character = input[at]
    if (character === '"') return at
    if (character === '\\') at += 1
  }
  return -1
}

/**
 * Returns the headers that the signatures of a request cover, by lower-case name, for the service to verify.
 *
 * A header whose name says that it is secret (`Authorization`, `Cookie`, `X-Svc-Token` …) is left out, and so a signature
 * that covers it cannot be checked, which is a denial.
 *
 * The service takes 40 headers. Signatures take turns, so that one that covers many, and may be of a proxy, leaves room for
 * those of another.
 *
 * @param lists From `listCoveredNames`.
 */
export function readCoveredHeaders(
  headers: Headers,
  lists: readonly (readonly string[])[] = listCoveredNames(headers),
): Record<string, string> {
  const covered: Record<string, string> = {}
  let room = COVERED_MAX
  for (let at = 0; at < COVERED_MAX; at += 1) {
    for (const names of lists) {
      const name = names[at]
      if (name === undefined || HANDED_OVER.includes(name) || Object.hasOwn(covered, name)) continue
      const value = Object.hasOwn(headers, name) ? headers[name] : undefined
      if (value === undefined || value.length > CHARACTERS_MAX || SECRET.test(name)) continue
      covered[name] = value
      room -= 1
      if (room === 0) return covered
    }
  }
  return covered
}
