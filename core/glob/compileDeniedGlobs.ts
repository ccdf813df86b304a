import { compileGlobs } from './compileGlobs.ts'
import { decodeGlob, decodeWithinSegments } from './decodeResource.ts'

/**
 * Compiles globs into a test of whether any of them matches a resource in any of its readings.
 *
 * Routers are more lenient than globs: many ignore case, a trailing slash, repeated slashes or path parameters. What one of
 * them may route to a denied path is therefore denied. Takes the resource as sent and percent-decoded.
 */
export function compileDeniedGlobs(globs: readonly string[]): (resource: string, plain: string) => boolean {
  const matchesLiterally = compileGlobs(globs)
  const matchesFolded = compileGlobs([...new Set(globs.flatMap(listGlobReadings))])
  return (resource, plain) => {
    if (matchesLiterally(resource) || (plain !== resource && matchesLiterally(plain))) return true
    if (plain === resource && isOrdinary(resource)) return matchesFolded(resource)
    return listReadings(resource, plain).some(matchesFolded)
  }
}

/**
 * Lists the paths to which a lenient router may route a resource, in lower case.
 *
 * Every combination is listed of what routers ignore: white space around it, the origin of a URL, fragment and query, path
 * parameters (`;v=1`), repeated slashes, and a trailing slash. Source: RFC 3986 §3, §4.2.
 *
 * The resource is read as sent, decoded, and decoded except for encoded slashes, which routers keep within their segment.
 */
function listReadings(resource: string, plain: string): string[] {
  const readings = new Set([resource, plain, decodeWithinSegments(resource)].map(foldCase))
  for (const ignore of IGNORED_PARTS) {
    for (const reading of [...readings]) readings.add(ignore(reading) || '/')
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

function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (end > 1 && text.charAt(end - 1) === '/') end -= 1
  return text.slice(0, end)
}

/** Whether a resource has a single reading; nearly all do. */
function isOrdinary(resource: string): boolean {
  return !/[A-Z%:;?#\s\u0080-\uffff]|\/\/|.\/$/.test(resource)
}

/** Folds case letter by letter: in a whole text, the lower case of a Greek sigma depends on its position. */
function foldCase(text: string): string {
  return text.replace(/[\u0080-\u{10ffff}]/gu, (letter) => letter.toUpperCase().toLowerCase()).toLowerCase()
}

function listGlobReadings(glob: string): string[] {
  return [glob, decodeGlob(glob)].map((text) => withoutTrailingSlashes(foldCase(text)))
}
