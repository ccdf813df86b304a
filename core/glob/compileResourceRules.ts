import { compileGlobs } from './compileGlobs.ts'

/**
 * Compiles allowed and denied resource globs into one question: is this resource refused?
 *
 * `plain` is the resource as `plainResource` reads it. No allowed globs: everything is allowed; a denied glob always wins and sees the
 * resource both as sent and decoded. A resource that cannot be read in one way only matches no allowed and every denied glob.
 */
export function compileResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
): (resource: string, plain: string | undefined) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileGlobs(allowed)
  if (denied.length === 0) return (resource, plain) => plain === undefined || !isAllowed(resource)
  const isDenied = compileGlobs(denied)
  return (resource, plain) =>
    plain === undefined ||
    isDenied(resource) ||
    (plain !== resource && isDenied(plain)) ||
    !isAllowed(resource)
}
