import { parseJsonBase64Url } from '../json.ts'

/** More than any credential of a person has; each costs a hash. */
const DISCLOSURES_MAX = 200

/**
 * Whether the disclosures of an SD-JWT fold out to no more than they are: each digest stands in one place.
 *
 * One that stood in two would be folded out in both, and thirty that each name the next one twice are a billion.
 *
 * @param payload Of the issuer's token.
 * @param disclosures As presented, base64url; one that cannot be read is refused, because others might read it.
 * Source: RFC 9901 §7.1.
 */
export function hasUniqueDigests(payload: unknown, disclosures: readonly string[]): boolean {
  if (disclosures.length > DISCLOSURES_MAX) return false
  const seen = new Set<string>()
  const pending: unknown[] = [payload]
  for (const text of disclosures) {
    const value = parseJsonBase64Url(text)
    if (value === undefined) return false
    pending.push(value)
  }
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      for (const digest of digestsOf(name, member)) {
        if (seen.has(digest)) return false
        seen.add(digest)
      }
      pending.push(member)
    }
  }
  return true
}

function digestsOf(name: string, member: unknown): string[] {
  if (name === '...' && typeof member === 'string') return [member]
  if (name !== '_sd' || !Array.isArray(member)) return []
  return member.filter((digest) => typeof digest === 'string')
}
