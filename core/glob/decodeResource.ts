/**
 * Percent-decodes a resource; undefined when its meaning is ambiguous.
 *
 * A resource without encoding or traversal is returned as it is.
 */
export function decodeResource(resource: string): string | undefined {
  const decoded = resource.includes('%') ? decodePercent(resource, ENCODED) : resource
  return decoded === undefined || isTraversal(decoded) ? undefined : decoded
}

/** Percent-decodes a resource that is not ambiguous, except for encoded slashes. */
export function decodeWithinSegments(resource: string): string {
  return decodePercent(resource, ENCODED_WITHIN_SEGMENTS) ?? resource
}

/**
 * Lists a glob as written and, unless that would turn a literal character into a wildcard, percent-decoded; without repeats.
 */
export function listGlobReadings(glob: string): string[] {
  const decoded = /%(?:2a|3f|5b|5c|5d|7b|7d)/i.test(glob) ? glob : (decodeResource(glob) ?? glob)
  return [...new Set([glob, decoded])]
}

const ROUNDS_MAX = 4
const ENCODED = /(?:%[0-9a-f]{2})+/gi
const ENCODED_WITHIN_SEGMENTS = /(?:%(?!2f)[0-9a-f]{2})+/gi

/**
 * Decodes repeatedly, because a server behind a proxy may decode twice. A text that is still encoded after four rounds, or
 * whose bytes are not UTF-8, is a disguise: undefined. Source: RFC 3986 §2.1, RFC 3629 §3.
 */
function decodePercent(resource: string, encoded: RegExp): string | undefined {
  let text = resource
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (text.search(encoded) < 0) return text
    try {
      text = text.replace(encoded, decodeURIComponent)
    } catch {
      return undefined
    }
  }
  return text.search(encoded) < 0 ? text : undefined
}

const DOT = 46
const SLASH = 47
const SEMICOLON = 59
const HASH = 35
const QUESTION_MARK = 63
const BACKSLASH = 92
const DELETE = 127
const SEGMENT_ENDS: ReadonlySet<number> = new Set([SLASH, SEMICOLON, QUESTION_MARK, HASH])

/**
 * Whether a decoded resource has a `.` or `..` segment, possibly before parameters, a query or a fragment, a backslash or a
 * control character.
 *
 * Such a resource matches no allowed glob and every denied one. One pass over the characters, without allocation.
 */
function isTraversal(resource: string): boolean {
  let before = SLASH
  for (let at = 0; at < resource.length; at += 1) {
    const code = resource.charCodeAt(at)
    if (code < 32 || code === BACKSLASH || (code >= DELETE && code < 160)) return true
    if (code === DOT && before === SLASH && isDotSegment(resource, at)) return true
    before = code
  }
  return false
}

function isDotSegment(resource: string, start: number): boolean {
  const end = resource.charCodeAt(start + 1) === DOT ? start + 2 : start + 1
  const after = resource.charCodeAt(end)
  return end === resource.length || SEGMENT_ENDS.has(after)
}
