import { ACCESS_LEVELS, type AccessLevel } from '@svc/core/access/decision.ts'
import {
  IDENTITY_PROOFS,
  type IdentityProof,
  isProofSufficient,
  pickStricterProof,
} from '@svc/core/access/identityProof.ts'
import { compileDeniedGlobs } from '@svc/core/glob/compileResourceRules.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { listReadings } from '@svc/core/glob/listReadings.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import type { EndpointRoute } from './createVerifyClient.ts'

/** `internal` is for agents of the endpoint's owner and reaches every route. */
const LEVELS: readonly string[] = ACCESS_LEVELS

const READING_LEVELS: readonly string[] = ['restricted', 'read-only'] satisfies readonly AccessLevel[]
const TOO_LOW: RouteFault = { lacks: 'accessLevel' }
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** What a request shows: the access level that the service decided, and what it proves of its agent. */
export type ShownAccess = { accessLevel: string; identityProof?: string | undefined }

/** Why a request does not reach a route; undefined if it does. */
export type RouteFault =
  | { lacks: 'accessLevel' }
  | { lacks: 'identityProof'; minIdentityProof: IdentityProof }

/**
 * Compiles the routes of an endpoint into a function that says whether a request reaches a method and path.
 *
 * Every route that matches the request must be satisfied, in whatever order they are listed; a path that no route matches
 * has no minimum. Routers are usually more lenient than patterns, so a pattern matches every reading of the path, as a
 * denied resource does: `/Admin/;v=1` does not slip past `/admin`, nor `post` past `POST`. HEAD is also treated as GET. An
 * ambiguous path, or one whose readings are too long altogether, reaches no route, and an unknown level suffices for none.
 *
 * The levels `restricted` and `read-only` reach safe methods only (RFC 9110 §9.2.1), unless a route that names the method
 * admits them: callers at these levels may read, and a gateway sees that only by the method.
 *
 * @throws Error for a pattern that is not a glob and for a level or proof that does not exist, because ignoring the route
 *   would leave it open.
 *
 * Source: Spec: Client library contract (`routes[].minAccessLevel`).
 */
export function compileRouteGate(
  routes: readonly EndpointRoute[],
): (method: string, path: string, shown: ShownAccess) => RouteFault | undefined {
  const gates = routes.map(({ pattern, method = '*', minAccessLevel, minIdentityProof = 'none' }) => {
    const parsed = parseGlob(pattern)
    if (!parsed.ok) throw new Error(`route ${pattern}: ${parsed.problem}`)
    const level = LEVELS.indexOf(minAccessLevel)
    if (level < 0)
      throw new Error(`route ${pattern}: ${describeUnknown('access level', minAccessLevel, LEVELS)}`)
    const proof = IDENTITY_PROOFS.find((one) => one === minIdentityProof)
    if (proof === undefined)
      throw new Error(
        `route ${pattern}: ${describeUnknown('identity proof', minIdentityProof, IDENTITY_PROOFS)}`,
      )
    return { matches: compileDeniedGlobs([pattern]), method: method.toUpperCase(), level, proof }
  })
  return (method, path, { accessLevel, identityProof = 'none' }) => {
    const mustOnlyRead = READING_LEVELS.includes(accessLevel) && !SAFE_METHODS.includes(method)
    if (gates.length === 0) return mustOnlyRead ? TOO_LOW : undefined
    const plain = decodeResource(path)
    const readings = plain === undefined ? undefined : listReadings(path, plain)
    if (plain === undefined || readings === undefined) return TOO_LOW
    const upper = method.toUpperCase()
    const methods = [upper, '*', upper === 'HEAD' ? 'GET' : upper]
    const matching = gates.filter(
      (gate) => methods.includes(gate.method) && gate.matches(path, plain, readings),
    )
    const level = LEVELS.indexOf(accessLevel)
    const isLevelEnough =
      matching.every((gate) => level >= gate.level) &&
      !(mustOnlyRead && matching.every((gate) => gate.method !== method))
    if (!isLevelEnough) return TOO_LOW
    const proofs = matching.map(({ proof }) => proof)
    const minIdentityProof = proofs.reduce(pickStricterProof, 'none')
    const isProven = isProofSufficient(identityProof as IdentityProof, minIdentityProof)
    return isProven ? undefined : { lacks: 'identityProof', minIdentityProof }
  }
}

function describeUnknown(kind: string, value: unknown, known: readonly string[]): string {
  return `unknown ${kind} ${value}; there are ${known.join(', ')}`
}
