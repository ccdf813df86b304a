import type { AccessLevel } from '@svc/core/access/decision.ts'
import { compileGlobs } from '@svc/core/glob/compileGlobs.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { plainResource } from '@svc/core/glob/plainResource.ts'
import type { EndpointRoute } from './createVerifyClient.ts'

/** Weakest first; `internal`, which shares the endpoint's owner, gets everywhere. */
const LEVELS: readonly string[] = [
  'none',
  'restricted',
  'read-only',
  'standard',
  'full',
  'internal',
] satisfies readonly AccessLevel[]

/**
 * Compiles the routes of an endpoint into one question: does this access level get to this method and path?
 *
 * Every route that describes the request has to be satisfied, whatever their order; a path that none describes asks
 * for nothing more than the recommendation. A router is usually kinder than a pattern, so that paths are compared
 * without regard to case and to slashes at the end, and HEAD counts as GET: `/Admin/` must not slip past `/admin`.
 * Where there is a `;`, what stands before it counts as well, because some routers end the path there.
 * A path that could be read in two ways passes no gate, a level nobody knows suffices for nothing.
 *
 * @throws Error for a pattern that is no glob, or a level that does not exist: a gate that is not understood would
 *   stand open.
 *
 * Source: Spec: Client library contract (`routes[].minAccessLevel`); api.md "Endpoints".
 */
export function compileRouteGate(
  routes: readonly EndpointRoute[],
): (method: string, path: string, accessLevel: string) => boolean {
  const gates = routes.map(({ pattern, method = '*', minAccessLevel }) => {
    const parsed = parseGlob(pattern)
    if (!parsed.ok) throw new Error(`route ${pattern}: ${parsed.problem}`)
    const level = LEVELS.indexOf(minAccessLevel)
    if (level < 0) throw new Error(`route ${pattern}: there is no access level ${minAccessLevel}`)
    return { matches: compileGlobs([routed(pattern)]), method: method.toUpperCase(), level }
  })
  return (method, path, accessLevel) => {
    if (gates.length === 0) return true
    const plain = plainResource(path)
    if (plain === undefined) return false
    const asked = method === 'HEAD' ? ['HEAD', 'GET', '*'] : [method, '*']
    const places = [plain, ...(plain.includes(';') ? [plain.replace(/;.*/s, '') || '/'] : [])].map(routed)
    const level = LEVELS.indexOf(accessLevel)
    return gates.every(
      (gate) => !asked.includes(gate.method) || !places.some(gate.matches) || level >= gate.level,
    )
  }
}

function routed(path: string): string {
  return path.toLowerCase().replace(/(?<=.)\/+$/, '')
}
