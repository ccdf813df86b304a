/** A name in an answer is for the eye; one that somebody made long is not told back in full. */
const CHARS_MAX = 64

/** One step of a JSON Pointer, escaped, and shortened where the name is long. Source: RFC 6901 §3. */
export function pointerToken(name: string): string {
  const short = name.length > CHARS_MAX ? `${name.slice(0, CHARS_MAX)}…` : name
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
