import { decodeWithinSegments } from './decodeResource.ts'

/**
 * Maximum characters of all readings of a resource together.
 *
 * A signed URL of 1,500 characters stays below it. Beyond it are resources made to have many long readings, and comparing
 * all of them with a long policy would hold up every other request.
 */
export const READING_CHARS_MAX = 32_768

/**
 * Lists the paths to which a lenient router may route a resource, in lower case; undefined if they are too long together.
 *
 * Many routers ignore case, a trailing slash, repeated slashes or path parameters. What one of them may route to a denied
 * path is therefore denied. Every combination is listed of what routers ignore: white space around it, the origin of a URL,
 * fragment and query, path parameters (`;v=1`), repeated slashes, and a trailing slash. Source: RFC 3986 §3, §4.2.
 *
 * The resource is read as sent, decoded, and decoded except for encoded slashes, which routers keep within their segment.
 */
export function listReadings(
  resource: string,
  plain: string,
  charsMax: number = READING_CHARS_MAX,
): string[] | undefined {
  if (plain === resource && isOrdinary(resource)) return [resource]
  const readings = new Set([resource, plain, decodeWithinSegments(resource)].map(foldCase))
  for (const ignore of IGNORED_PARTS) {
    for (const reading of [...readings]) readings.add(ignore(reading) || '/')
    let chars = 0
    for (const reading of readings) chars += reading.length
    if (chars > charsMax) return undefined
  }
  return [...readings]
}

const IGNORED_PARTS: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => cutAt(text, text.indexOf('#')),
  (text) => cutAt(text, text.search(/[?#]/)),
  // The origin may lack a scheme, as in `//host/path`.
  (text) => text.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/, ''),
  // Browsers and WHATWG URL accept any number of slashes before a host, older parsers a path without a host.
  (text) => text.replace(/^https?:\/*[^/?#]*/, ''),
  (text) => text.replace(/^https?:\/?(?!\/)/, '/'),
  (text) => cutAt(text, text.indexOf(';')),
  (text) => text.replace(/;[^/]*/g, ''),
  (text) => text.replace(/\/{2,}/g, '/'),
  withoutTrailingSlashes,
]

function cutAt(text: string, end: number): string {
  return end < 0 ? text : text.slice(0, end)
}

/** Removes slashes at the end of a path, except for its only one. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (end > 1 && text.charAt(end - 1) === '/') end -= 1
  return text.slice(0, end)
}

/** Whether a resource has a single reading; nearly all do. */
function isOrdinary(resource: string): boolean {
  return !/[A-Z%:;?#\s\u0080-\uffff]|\/\/|.\/$/.test(resource)
}

/** Folds case letter by letter: in a whole text, the lower case of a Greek sigma depends on its position. */
export function foldCase(text: string): string {
  return text.replace(/[\u0080-\u{10ffff}]/gu, (letter) => letter.toUpperCase().toLowerCase()).toLowerCase()
}
