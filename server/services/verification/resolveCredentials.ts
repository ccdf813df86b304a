import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import type { VerificationDeps } from './verificationDeps.ts'

type Presented = NonNullable<VerificationRequest['credentials']>[number]

/** A request with the agent that its credentials identify; `isUnknown` if they identify none or several. */
export type NamedRequest = { request: VerificationRequest; isUnknown: boolean }

/**
 * Replaces the third-party credentials of a request with the agent that they identify.
 *
 * All of them must identify the same agent, and the one that the request names, if any. If one is unknown, not yet or no
 * longer valid, or belongs to another agent, the request is treated as that of an unknown agent, so that the caller cannot
 * tell which one failed. Records keep only the name of each credential: the credential itself could be presented again.
 *
 * Source: `Spec:` "Third-party credentials".
 */
export async function resolveCredentials(
  deps: Pick<VerificationDeps, 'agentByCredential'>,
  request: VerificationRequest,
  now: number,
): Promise<NamedRequest> {
  const names = new Set<string | null>(request.agentId === undefined ? [] : [request.agentId])
  const credentials: Presented[] = []
  for (const { type, value } of request.credentials ?? []) {
    const lookupKey = deriveCredentialLookupKey(type, value)
    credentials.push({ type, value: `sha256:${lookupKey ?? 'malformed'}` })
    names.add(lookupKey === null ? null : await agentOf(deps, lookupKey, now))
  }
  const [agentId = null] = names
  if (names.size === 1 && agentId !== null) {
    return { request: { ...request, agentId, credentials }, isUnknown: false }
  }
  return { request: { ...request, credentials }, isUnknown: true }
}

async function agentOf(
  deps: Pick<VerificationDeps, 'agentByCredential'>,
  lookupKey: string,
  now: number,
): Promise<string | null> {
  const found = await deps.agentByCredential(lookupKey)
  if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null
  return found.validFrom !== null && found.validFrom > now ? null : found.agentId
}
