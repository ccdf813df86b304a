import { decodeBase64Url } from './bytes.ts'

/** Whether a JSON value is an object, as neither a list nor null is. Source: RFC 8259 §4. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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

/** The JSON value of bytes in UTF-8; undefined for what is none. Source: RFC 8259 §8.1. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The JSON value that a text in base64url holds; undefined for what is none. Source: RFC 7515 §2. */
export function parseJsonBase64Url(text: string): unknown {
  const bytes = decodeBase64Url(text)
  return bytes === null ? undefined : parseJsonBytes(bytes)
}

/**
 * A value as one line of JSON Lines, without the line break at its end.
 *
 * U+2028 and U+2029 may stand in a JSON string as they are, but many readers of lines, Node's own among them, take them
 * for the end of one. Source: RFC 8259 §7; ECMA-262 "Line Terminators".
 */
export function writeJsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** A name in an answer is for the eye; one that somebody made long is not told back in full. */
const CHARS_MAX = 64

/** One step of a JSON Pointer, escaped, and shortened where the name is long. Source: RFC 6901 §3. */
export function escapePointerToken(name: string): string {
  const short = name.length > CHARS_MAX ? `${name.slice(0, CHARS_MAX)}…` : name
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
