import type { GatewayOutcome } from './createGateway.ts'
import type { NodeRequest } from './readNodeFacts.ts'

type ChangeableHeaders = NodeRequest['headers']

/** The gateway's headers, by the member of the result that they pass on. */
const NAMES = {
  accessLevel: 'x-svc-access-level',
  recommendation: 'x-svc-recommendation',
  identityProof: 'x-svc-identity-proof',
} as const
const RECEIPT = 'x-svc-receipt'
/** The agent that is verified is named by this header and by no other spelling of it. */
const AGENT = 'x-svc-id'

/**
 * Removes the gateway's headers that a caller has sent itself and, if the option is set, sets them to the decision.
 *
 * Names are compared as CGI and WSGI applications see them, to which `X_Svc_Access_Level` is the same header.
 *
 * @param headers Headers of the request; changed in place.
 */
export function setPassThroughHeaders(
  headers: ChangeableHeaders,
  { setPassThroughHeader }: { setPassThroughHeader?: boolean | undefined },
  outcome: GatewayOutcome,
): void {
  for (const name of listNames(headers)) if (isOwn(name)) changeHeader(headers, name, undefined)
  if (!setPassThroughHeader || !outcome.passes) return
  const { verified } = outcome
  // Without a value there is no header: a proxy behind the gateway cannot send one whose value is undefined.
  for (const [member, name] of Object.entries(NAMES)) {
    changeHeader(headers, name, verified[member as keyof typeof NAMES])
  }
  changeHeader(headers, RECEIPT, verified.verification?.receipt)
}

/** The headers that pass a decision on, by lower-case name. */
export const PASS_THROUGH_HEADERS: readonly string[] = [...Object.values(NAMES), RECEIPT]
const OWN: ReadonlySet<string> = new Set(PASS_THROUGH_HEADERS)

/** Whether a header, in any spelling, is one that a caller must not set. */
export function isOwn(name: string): boolean {
  if (name.length < AGENT.length || !/^x[-_]svc/i.test(name)) return false
  const written = name.toLowerCase()
  const read = written.replaceAll('_', '-')
  return OWN.has(read) || (read === AGENT && written !== AGENT)
}

function listNames(headers: ChangeableHeaders): string[] {
  return isFetchHeaders(headers) ? [...headers.keys()] : Object.keys(headers)
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
