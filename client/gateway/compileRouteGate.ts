import type { AccessLevel } from '@svc/core/access/decision.ts'
import { compileDeniedGlobs } from '@svc/core/glob/compileResourceRules.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import type { EndpointRoute } from './createVerifyClient.ts'

/** Weakest first; `internal` is for agents of the endpoint's owner and reaches every route. */
const LEVELS: readonly string[] = [
  'none',
  'restricted',
  'read-only',
  'standard',
  'full',
  'internal',
] satisfies readonly AccessLevel[]

const READING_LEVELS: readonly string[] = ['restricted', 'read-only'] satisfies readonly AccessLevel[]
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Compiles the routes of an endpoint into a function that says whether an access level suffices for a method and path.
 *
 * Every route that matches the request must be satisfied, in whatever order they are listed; a path that no route matches
 * has no minimum level. Routers are usually more lenient than patterns, so a pattern matches every reading of the path, as a
 * denied resource does: `/Admin/;v=1` does not slip past `/admin`. HEAD is also treated as GET. An ambiguous path reaches no
 * route, and an unknown level suffices for none.
 *
 * The levels `restricted` and `read-only` reach safe methods only (RFC 9110 §9.2.1), unless a route that names the method
 * admits them: callers at these levels may read, and a gateway sees that only by the method.
 *
 * @throws Error for a pattern that is not a glob or a level that does not exist, because ignoring the route would leave it
 *   open.
 *
 * Source: Spec: Client library contract (`routes[].minAccessLevel`).
 */
export function compileRouteGate(
  routes: readonly EndpointRoute[],
): (method: string, path: string, accessLevel: string) => boolean {
  const gates = routes.map(({ pattern, method = '*', minAccessLevel }) => {
    const parsed = parseGlob(pattern)
    if (!parsed.ok) throw new Error(`route ${pattern}: ${parsed.problem}`)
    const level = LEVELS.indexOf(minAccessLevel)
    if (level < 0) throw new Error(`route ${pattern}: unknown access level ${minAccessLevel}`)
    return { matches: compileDeniedGlobs([pattern]), method: method.toUpperCase(), level }
  })
  return (method, path, accessLevel) => {
    const mustOnlyRead = READING_LEVELS.includes(accessLevel) && !SAFE_METHODS.includes(method)
    if (gates.length === 0) return !mustOnlyRead
    const plain = decodeResource(path)
    if (plain === undefined) return false
    const methods = method === 'HEAD' ? ['HEAD', 'GET', '*'] : [method, '*']
    const matching = gates.filter((gate) => methods.includes(gate.method) && gate.matches(path, plain))
    const level = LEVELS.indexOf(accessLevel)
    return (
      matching.every((gate) => level >= gate.level) &&
      !(mustOnlyRead && matching.every((gate) => gate.method !== method))
    )
  }
}
