import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { parseForeignName } from '@svc/core/foreign/foreignName.ts'
import type { ForeignFault } from '../../foreign/foreignAgent.ts'
import type { VerifiableAgent } from '../parties/verifiableAgent.ts'
import type { VerificationDeps, VerificationInput } from '../verificationDeps.ts'

type Presented = NonNullable<VerificationRequest['credentials']>[number]

type ResolveDeps = Pick<VerificationDeps, 'agentByCredential' | 'foreign'>

/** A request with the agent that its credentials identify; `isUnknown` if they identify none or several. */
export type NamedRequest = {
  request: VerificationRequest
  isUnknown: boolean
  /** The agent, if it is one of another registry that nobody adopted. */
  visitor?: VerifiableAgent | undefined
  /** Why an agent of another registry cannot be used. */
  fault?: ForeignFault | undefined
}

/** An agent of another registry may call itself by the name of its token, which is a credential. */
export function moveForeignName(request: VerificationRequest): VerificationRequest {
  const { agentId, credentials = [], ...others } = request
  if (agentId === undefined || !/^eip155:/i.test(agentId)) return request
  return { ...others, agentId: undefined, credentials: [...credentials, { type: 'erc8004', value: agentId }] }
}

/**
 * Replaces the third-party credentials of a request with the agent that they identify.
 *
 * All of them must identify the same agent, and the one that the request names, if any. If one is unknown, not yet or
 * no longer valid, or belongs to another agent, the request is treated as that of an unknown agent, so that the caller
 * cannot tell which one failed. Records keep only the name of each credential: the credential itself could be presented
 * again. The token of another registry is public, and identifies its agent even if nobody adopted it; a visit to it may
 * take seconds, so there is only one.
 *
 * @throws ApiError CHAIN_UNAVAILABLE for a foreign agent; as `WaitForHost`. Source: `Spec:` "Third-party credentials".
 */
export async function resolveCredentials(
  deps: ResolveDeps,
  { request, now, waitForHost }: Pick<VerificationInput, 'request' | 'now' | 'waitForHost'>,
): Promise<NamedRequest> {
  const names = new Set<string | null>(request.agentId === undefined ? [] : [request.agentId])
  const credentials: Presented[] = []
  let visitor: VerifiableAgent | undefined
  let fault: ForeignFault | undefined
  let visited: string | null = null
  for (const { type, value } of request.credentials ?? []) {
    const lookupKey = deriveCredentialLookupKey(type, value)
    credentials.push({ type, value: `sha256:${lookupKey ?? 'malformed'}` })
    if (names.size > 1 || (visited !== null && lookupKey === visited)) continue
    const known = lookupKey === null ? null : await agentOf(deps, lookupKey, now)
    const name = type === 'erc8004' && known === null ? parseForeignName(value) : null
    if (name === null || visited !== null) {
      names.add(known)
      continue
    }
    visited = lookupKey
    const visit = await waitForHost(() => deps.foreign.visit(name, now))
    if (typeof visit === 'string') fault = visit
    else visitor = visit
    names.add(typeof visit === 'string' ? null : visit.svcId)
  }
  const [agentId = null] = names
  if (names.size === 1 && agentId !== null) {
    return { request: { ...request, agentId, credentials }, isUnknown: false, visitor }
  }
  return { request: { ...request, credentials }, isUnknown: true, fault }
}

async function agentOf(deps: ResolveDeps, lookupKey: string, now: number): Promise<string | null> {
  const found = await deps.agentByCredential(lookupKey)
  if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null
  return found.validFrom !== null && found.validFrom > now ? null : found.agentId
}
