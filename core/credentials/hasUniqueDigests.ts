import { parseJsonBase64Url } from '../json.ts'

/** More than any real credential has; each costs a hash. */
const DISCLOSURES_MAX = 200

/**
 * Whether every digest of an SD-JWT occurs only once, so that expanding its disclosures cannot blow it up.
 *
 * A digest that occurs twice would be expanded twice: thirty disclosures that each refer to the next one twice become a
 * billion.
 *
 * @param payload The payload of the issuer's token.
 * @param disclosures As presented, in base64url; an unreadable one gives false, because another reader might accept it.
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
