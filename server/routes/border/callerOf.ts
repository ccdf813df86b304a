import type { Call } from '../../middleware/call.ts'
import type { Principal } from '../../services/principal.ts'

type PrincipalOf<Kind extends Principal['kind']> = Extract<Principal, { kind: Kind }>

/**
 * The caller of an operation that the table opens to only one kind of credential.
 *
 * @throws Error for another kind, because the table and the handler then contradict each other.
 */
export function callerOf<Kind extends Principal['kind']>(call: Call, kind: Kind): PrincipalOf<Kind> {
  const { principal } = call
  if (isOfKind(principal, kind)) return principal
  throw new Error(`expected a caller with the credential ${kind}, got ${principal.kind}`)
}

function isOfKind<Kind extends Principal['kind']>(
  principal: Principal,
  kind: Kind,
): principal is PrincipalOf<Kind> {
  return principal.kind === kind
}
