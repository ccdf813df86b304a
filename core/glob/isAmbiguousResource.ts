import { decodedResource } from './decodedResource.ts'
import { isTraversal } from './isTraversal.ts'

/** Says whether a resource, as sent or percent-decoded, could mean something else than it reads. */
export function isAmbiguousResource(resource: string): boolean {
  const decoded = resource.includes('%') ? decodedResource(resource) : resource
  return decoded === undefined || isTraversal(decoded)
}
