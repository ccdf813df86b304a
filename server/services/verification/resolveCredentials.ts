import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import type { VerificationDeps } from './verificationDeps.ts'

type Presented = NonNullable<VerificationRequest['credentials']>[number]

/** A request by the agent that its credentials lead to; `isUnknown` when they lead to none, or to several. */
export type NamedRequest = { request: VerificationRequest; isUnknown: boolean }

/**
 * Replaces the third-party credentials of a request by the agent they lead to.
 *
 * All of them have to lead to one agent, and to the one that the request names itself, if it does. One that is not known, not
 * yet or no longer valid, or of another agent makes the request that of an unknown agent, so that nobody learns which it was.
 * What goes on, into records as well, is the name of each and not the credential, which could be presented once more.
 *
 * Source: `Spec:` "Third-party credentials" ("resolves to the agent identifier before normal verification").
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
