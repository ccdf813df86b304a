/**
 * Whether a JSON value is nested deeper than a bound; a value without members has depth 0.
 *
 * It does not recurse, so that it can be asked about input before anything that does.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  const pending = [{ value, depth: 0 }]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at.value !== 'object' || at.value === null) continue
    const members = Object.values(at.value)
    if (members.length > 0 && at.depth >= levels) return true
    for (const member of members) pending.push({ value: member, depth: at.depth + 1 })
  }
  return false
}
