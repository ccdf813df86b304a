/**
 * Whether a host name is one of those a platform's addresses resolve to.
 *
 * A pattern is a name whose first label is `*`, one or more whole labels, or ends in `*`, the rest of that label. The
 * domain itself never matches `*.domain`, nor does a name that merely ends alike (`evilgooglebot.com`). A root dot and
 * the case of the name do not matter.
 */
export function matchesHostPattern(host: string, pattern: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  const at = pattern.indexOf('*')
  if (at < 0) return name === pattern
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)]
  if (name.length <= before.length + after.length) return false
  if (!name.startsWith(before) || !name.endsWith(after)) return false
  const matched = name.slice(before.length, name.length - after.length)
  return before === '' ? !matched.startsWith('.') : !matched.includes('.')
}
