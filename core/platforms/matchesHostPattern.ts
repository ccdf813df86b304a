/**
 * Whether a host name matches a pattern of the names that a platform's addresses resolve to.
 *
 * The first label of a pattern may be `*`, which matches one or more whole labels, or end in `*`, which matches the rest of
 * that label. `*.domain` matches neither the domain itself nor a name with the same ending (`evilgooglebot.com`). A root dot
 * and case are ignored.
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
