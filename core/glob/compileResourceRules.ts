import { compileDeniedGlobs } from './compileDeniedGlobs.ts'
import { compileGlobs } from './compileGlobs.ts'
import { decodeGlob } from './decodeResource.ts'

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
  const matches = compileGlobs([...new Set(globs.flatMap((glob) => [glob, decodeGlob(glob)]))])
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
