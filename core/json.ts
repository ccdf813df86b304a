import { decodeBase64Url } from './bytes.ts'

/** Whether a JSON value is an object, and neither an array nor null. Source: RFC 8259 §4. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a JSON value is nested deeper than a bound; a value without members has depth 0.
 *
 * It does not recurse, so it can guard code that does.
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

/** Parses JSON in UTF-8; undefined when the bytes are not that. Source: RFC 8259 §8.1. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Parses JSON in base64url; undefined when the text is not that. Source: RFC 7515 §2. */
export function parseJsonBase64Url(text: string): unknown {
  const bytes = decodeBase64Url(text)
  return bytes === null ? undefined : parseJsonBytes(bytes)
}

/**
 * Writes a value as one line of JSON Lines, without the line break.
 *
 * JSON strings may contain U+2028 and U+2029 unescaped, but many line readers, including Node's, end a line at them.
 * Source: RFC 8259 §7; ECMA-262 "Line Terminators".
 */
export function writeJsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

const POINTER_TOKEN_CHARS_MAX = 64

/**
 * Escapes one token of a JSON Pointer, and shortens a long one: a response does not repeat it in full. Source: RFC 6901 §3.
 */
export function escapePointerToken(name: string): string {
  const isLong = name.length > POINTER_TOKEN_CHARS_MAX
  const short = isLong ? `${name.slice(0, POINTER_TOKEN_CHARS_MAX)}…` : name
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
