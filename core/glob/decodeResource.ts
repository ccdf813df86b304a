/**
 * A resource percent-decoded, or `undefined` where it could mean something else than it reads.
 *
 * A resource without encoding or traversal is answered as it is.
 */
export function decodeResource(resource: string): string | undefined {
  const decoded = resource.includes('%') ? decodePercent(resource) : resource
  return decoded === undefined || isTraversal(decoded) ? undefined : decoded
}

const ROUNDS_MAX = 4

/**
 * A resource with its percent-encoded bytes written out, or `undefined` where that is not possible safely.
 *
 * Decoding is repeated, because a server behind a proxy may decode twice; a text that is still encoded after four rounds, or
 * whose bytes are not UTF-8, is a disguise and not a name. RFC 3986 §2.1, RFC 3629 §3.
 */
function decodePercent(resource: string): string | undefined {
  let text = resource
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (!/%[0-9A-Fa-f]{2}/.test(text)) return text
    try {
      text = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent)
    } catch {
      return undefined
    }
  }
  return /%[0-9A-Fa-f]{2}/.test(text) ? undefined : text
}

const DOT = 46
const SLASH = 47
const BACKSLASH = 92
const DELETE = 127

/**
 * Says whether a decoded resource could mean something else than it reads: a `.` or `..` segment, a backslash, a control character.
 *
 * Such a resource matches nothing that allows and everything that denies. One look at each character, nothing allocated.
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
  return end === resource.length || resource.charCodeAt(end) === SLASH
}
