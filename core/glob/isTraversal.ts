const SLASH = 47
const DOT = 46
const BACKSLASH = 92
const DELETE = 127

/**
 * Says whether a decoded resource could mean something else than it reads: a `.` or `..` segment, a backslash, a control character.
 *
 * Such a resource matches nothing that allows and everything that denies.
 */
export function isTraversal(resource: string): boolean {
  let segmentStart = 0
  for (let at = 0; at <= resource.length; at += 1) {
    const code = at < resource.length ? resource.charCodeAt(at) : SLASH
    if (code < 32 || code === BACKSLASH || (code >= DELETE && code < 160)) return true
    if (code !== SLASH) continue
    const length = at - segmentStart
    if (length === 1 && resource.charCodeAt(segmentStart) === DOT) return true
    if (length === 2 && resource.charCodeAt(at - 1) === DOT && resource.charCodeAt(at - 2) === DOT)
      return true
    segmentStart = at + 1
  }
  return false
}
