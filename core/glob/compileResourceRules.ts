import { compileGlobs } from './compileGlobs.ts'
import { decodedResource } from './decodedResource.ts'
import { isTraversal } from './isTraversal.ts'

/**
 * Compiles allowed and denied resource globs into one question: is this resource refused?
 *
 * No allowed globs: everything is allowed; a denied glob always wins and also sees the percent-decoded resource. A resource
 * that cannot be read in one way only (`isTraversal`, undecodable) matches no allowed and every denied glob.
 */
export function compileResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
): (resource: string) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileGlobs(allowed)
  const isDenied = denied.length === 0 ? () => false : compileGlobs(denied)
  return (resource) => {
    const decoded = resource.includes('%') ? decodedResource(resource) : resource
    if (decoded === undefined || isTraversal(decoded)) return true
    if (isDenied(resource) || (decoded !== resource && isDenied(decoded))) return true
    return !isAllowed(resource)
  }
}
