import { compileGlobs } from './compileGlobs.ts'
import { decodeWithinSegments, listGlobReadings } from './decodeResource.ts'

/**
 * Compiles allowed and denied resource globs into a test of whether a resource is refused.
 *
 * `plain` is the result of `decodeResource`. Without allowed globs everything is allowed; otherwise the resource has to
 * match both as sent and decoded. A denied glob always wins, in whatever reading of the resource it matches. An ambiguous
 * resource matches no allowed and every denied glob.
 */
export function compileResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
): (resource: string, plain: string | undefined) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileAllowedGlobs(allowed)
  const isDenied = denied.length === 0 ? () => false : compileDeniedGlobs(denied)
  return (resource, plain) => plain === undefined || isDenied(resource, plain) || !isAllowed(resource, plain)
}

/** Compiles globs into a test of whether they match a resource both as sent and decoded. */
export function compileAllowedGlobs(globs: readonly string[]): (resource: string, plain: string) => boolean {
  const matches = compileGlobs([...new Set(globs.flatMap(listGlobReadings))])
  return (resource, plain) => matches(resource) && (plain === resource || matches(plain))
}

/** The rules of version 1, under which a denied glob matched the resource as sent or decoded, and an allowed one as sent. */
export function compileLiteralResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
): (resource: string, plain: string | undefined) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileGlobs(allowed)
  const isDenied = compileGlobs(denied)
  return (resource, plain) =>
    plain === undefined || isDenied(resource) || isDenied(plain) || !isAllowed(resource)
}

/**
 * Compiles globs into a test of whether any of them matches a resource in any of its readings.
 *
 * Routers are more lenient than globs: many ignore case, a trailing slash, repeated slashes or path parameters. What one of
 * them may route to a denied path is therefore denied. Takes the resource as sent and percent-decoded.
 */
export function compileDeniedGlobs(globs: readonly string[]): (resource: string, plain: string) => boolean {
  const matchesLiterally = compileGlobs(globs)
  const matchesFolded = compileGlobs([...new Set(globs.flatMap(listLenientReadings))])
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

function listLenientReadings(glob: string): string[] {
  return listGlobReadings(glob).map((text) => withoutTrailingSlashes(foldCase(text)))
}
