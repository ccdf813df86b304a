import { decodedResource } from './decodedResource.ts'
import { isTraversal } from './isTraversal.ts'

/**
 * A resource percent-decoded, or `undefined` where it could mean something else than it reads.
 *
 * A resource without encoding or traversal is answered as it is.
 */
export function plainResource(resource: string): string | undefined {
  const decoded = resource.includes('%') ? decodedResource(resource) : resource
  return decoded === undefined || isTraversal(decoded) ? undefined : decoded
}
