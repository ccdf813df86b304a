import type { GatewayOutcome } from './createGateway.ts'
import type { NodeRequest } from './readNodeFacts.ts'

type ChangeableHeaders = NodeRequest['headers']

const LEVEL = 'x-svc-access-level'
const RECOMMENDATION = 'x-svc-recommendation'
const NO_DECISION = { accessLevel: undefined, recommendation: undefined }

/**
 * Removes the gateway's headers that a caller has sent itself and, if the option is set, sets them to the decision.
 *
 * @param headers Headers of the request; changed in place.
 */
export function setPassThroughHeaders(
  headers: ChangeableHeaders,
  { setPassThroughHeader }: { setPassThroughHeader?: boolean | undefined },
  outcome: GatewayOutcome,
): void {
  // Without a value the header is removed: a proxy behind the gateway cannot send a header whose value is undefined.
  const { accessLevel, recommendation } =
    setPassThroughHeader && outcome.passes ? outcome.verified : NO_DECISION
  changeHeader(headers, LEVEL, accessLevel)
  changeHeader(headers, RECOMMENDATION, recommendation)
}

function changeHeader(headers: ChangeableHeaders, name: string, value: string | undefined): void {
  if (isFetchHeaders(headers)) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  } else {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
}

/** Other realms and libraries have a `Headers` of their own, so no constructor is compared. */
function isFetchHeaders(headers: ChangeableHeaders): headers is Headers {
  return typeof headers.delete === 'function' && typeof headers.set === 'function'
}
