import { compileGlobs } from './compileGlobs.ts'
import { listGlobReadings } from './decodeResource.ts'
import { foldCase, listReadings, READING_CHARS_MAX, withoutTrailingSlashes } from './listReadings.ts'

/**
 * Compiles allowed and denied resource globs into a test of whether a resource is refused.
 *
 * `plain` is the result of `decodeResource`. Without allowed globs everything is allowed; otherwise the resource has to
 * match both as sent and decoded. A denied glob always wins, in whatever reading of the resource it matches. An ambiguous
 * resource matches no allowed and every denied glob, and one whose readings are too long matches every denied glob.
 */
export function compileResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
  readingCharsMax: number = READING_CHARS_MAX,
): (resource: string, plain: string | undefined) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileAllowedGlobs(allowed)
  const matchesDenied = compileDeniedGlobs(denied)
  const isDenied = (resource: string, plain: string) => {
    const readings = listReadings(resource, plain, readingCharsMax)
    return readings === undefined || matchesDenied(resource, plain, readings)
  }
  return (resource, plain) =>
    plain === undefined || (denied.length > 0 && isDenied(resource, plain)) || !isAllowed(resource, plain)
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
 * Takes the resource as sent, percent-decoded, and as `listReadings` lists it.
 */
export function compileDeniedGlobs(
  globs: readonly string[],
): (resource: string, plain: string, readings: readonly string[]) => boolean {
  const matchesLiterally = compileGlobs(globs)
  const matchesFolded = compileGlobs([...new Set(globs.flatMap(listLenientReadings))])
  return (resource, plain, readings) =>
    matchesLiterally(resource) ||
    (plain !== resource && matchesLiterally(plain)) ||
    matchesFolded(...readings)
}

function listLenientReadings(glob: string): string[] {
  return listGlobReadings(glob).map((text) => withoutTrailingSlashes(foldCase(text)))
}
