const DOT = 46
const SLASH = 47
const BACKSLASH = 92
const DELETE = 127

/**
 * Says whether a decoded resource could mean something else than it reads: a `.` or `..` segment, a backslash, a control character.
 *
 * Such a resource matches nothing that allows and everything that denies. One look at each character, nothing allocated.
 */
export function isTraversal(resource: string): boolean {
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
