import { encodeBase64 } from '../bytes.ts'
import { sha256 } from '../hash.ts'
import { isJsonObject, parseJsonBase64Url } from '../json.ts'

/** More than any real credential has; each costs a hash. */
const DISCLOSURES_MAX = 200

/** Levels of the revealed payload: disclosures can contain others, and so add levels to those of the token. */
const DEPTH_MAX = 64

/** The members that stand for what is disclosed, so no claim may have their names. */
const RESERVED = ['_sd', '...', '_sd_alg']

/** Why an SD-JWT is refused: it breaks a rule of RFC 9901, or its digests are of another algorithm than SHA-256. */
export type DisclosureFault = 'malformed' | 'unsupported'

/**
 * Replaces the digests in the payload of an SD-JWT with what its disclosures say, and removes the digests without one.
 *
 * Each disclosure must be referred to by exactly one digest, in the payload or in another disclosure, and have the form
 * that this place requires. A digest may occur only once even if nothing is disclosed for it. Two uses of one disclosure
 * would also double its size with each level: thirty that each refer to the next one twice become a billion.
 *
 * @param payload The payload of the issuer's token; its signature is verified elsewhere.
 * @param disclosures As presented, in base64url. Source: RFC 9901 §7.1, steps 3 to 5, and §4.1 for the reserved names.
 * @param keepsUndisclosed Leaves an element of a list that is not disclosed in its place, as its digest.
 */
export function revealDisclosures(
  payload: Readonly<Record<string, unknown>>,
  disclosures: readonly string[],
  keepsUndisclosed = false,
): { ok: true; payload: Record<string, unknown> } | { ok: false; fault: DisclosureFault } {
  const { _sd_alg: algorithm = 'sha-256', ...claims } = payload
  if (algorithm !== 'sha-256') return { ok: false, fault: 'unsupported' }
  const pending = readDisclosures(disclosures)
  if (pending === null) return { ok: false, fault: 'malformed' }
  try {
    const revealed = revealMembers(claims, { pending, seen: new Set(), keepsUndisclosed }, 0)
    return pending.size === 0 ? { ok: true, payload: revealed } : { ok: false, fault: 'malformed' }
  } catch (error) {
    if (error instanceof MalformedDisclosure) return { ok: false, fault: 'malformed' }
    throw error
  }
}

/** The disclosures that no digest has referred to yet, and every digest so far. */
type Progress = { pending: Map<string, readonly unknown[]>; seen: Set<string>; keepsUndisclosed: boolean }

/** Ends the recursion; it never leaves this file. */
class MalformedDisclosure extends Error {}

/** The contents of each disclosure by its digest; null if one is unreadable or repeated, or if there are too many. */
function readDisclosures(disclosures: readonly string[]): Progress['pending'] | null {
  if (disclosures.length > DISCLOSURES_MAX) return null
  const found: Progress['pending'] = new Map()
  for (const text of disclosures) {
    const contents = parseJsonBase64Url(text)
    if (!Array.isArray(contents) || typeof contents[0] !== 'string') return null
    found.set(digestOf(text), contents)
  }
  return found.size === disclosures.length ? found : null
}

function digestOf(disclosure: string): string {
  return encodeBase64(sha256(disclosure)).replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

function reveal(value: unknown, progress: Progress, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new MalformedDisclosure()
  if (Array.isArray(value)) return value.flatMap((item) => revealItem(item, progress, depth + 1))
  return isJsonObject(value) ? revealMembers(value, progress, depth + 1) : value
}

/** An element that only refers to a disclosure becomes its value; without one it disappears, unless it is kept. */
function revealItem(item: unknown, progress: Progress, depth: number): unknown[] {
  if (!isJsonObject(item) || !Object.hasOwn(item, '...')) return [reveal(item, progress, depth)]
  if (Object.keys(item).length > 1) throw new MalformedDisclosure()
  const contents = takeDisclosure(item['...'], progress)
  if (contents === undefined) return progress.keepsUndisclosed ? [item] : []
  if (contents.length !== 2) throw new MalformedDisclosure()
  return [reveal(contents[1], progress, depth)]
}

function revealMembers(
  { _sd: digests = [], ...members }: Record<string, unknown>,
  progress: Progress,
  depth: number,
): Record<string, unknown> {
  if (!Array.isArray(digests)) throw new MalformedDisclosure()
  const entries = new Map(Object.entries(members))
  if (RESERVED.some((name) => entries.has(name))) throw new MalformedDisclosure()
  for (const digest of digests) {
    const contents = takeDisclosure(digest, progress)
    if (contents === undefined) continue
    const [, name, value] = contents
    const isClaim = contents.length === 3 && typeof name === 'string' && !RESERVED.includes(name)
    if (!isClaim || entries.has(name)) throw new MalformedDisclosure()
    entries.set(name, value)
  }
  // `fromEntries` also makes `__proto__` an ordinary member.
  return Object.fromEntries([...entries].map(([name, value]) => [name, reveal(value, progress, depth)]))
}

/** The contents that a digest refers to; undefined for a decoy and for what the holder does not disclose. */
function takeDisclosure(digest: unknown, { pending, seen }: Progress): readonly unknown[] | undefined {
  if (typeof digest !== 'string' || seen.has(digest)) throw new MalformedDisclosure()
  seen.add(digest)
  const contents = pending.get(digest)
  pending.delete(digest)
  return contents
}
