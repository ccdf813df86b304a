import { API_KEY_PREFIX, isApiKey } from '@svc/core/ids/secrets.ts'
import type { Principal } from '../services/principal.ts'
import { ACCESS, type Access } from './authorise.ts'

/** Says what a caller without any credential has to send to a route. */
export function explainMissingCredential(access: Access): string {
  return `The request carries no credential. ${describeAccepted(access)}`
}

/** Says what is wrong with an `Authorization` header in which no bearer credential was found. It is never quoted. */
export function explainUnreadHeader(header: string, access: Access): string {
  const problem = /^bearer *$/i.test(header)
    ? 'No credential follows `Bearer` in the Authorization header.'
    : 'The Authorization header does not begin with `Bearer` and a space.'
  return `${problem} ${describeAccepted(access)}`
}

/**
 * Says what is wrong with a bearer credential that is nobody's.
 *
 * Whoever presents it learns only about its form. What has expired or was revoked is explained where the credential has
 * been recognised, because only its holder can present it.
 */
export function explainUnknownCredential(credential: string): string {
  if (!credential.startsWith(API_KEY_PREFIX)) {
    return 'The bearer credential is neither an API key (svc_live_…) nor a valid access token of a full session.'
  }
  return isApiKey(credential)
    ? 'This service does not know this API key.'
    : 'The API key is malformed: expected svc_live_ and 32 letters and digits.'
}

const KINDS = {
  nobody: 'a request without a credential',
  apiKey: 'an API key',
  session: 'the access token of a session',
  signature: 'a signature of the request',
  agent: 'the token of an agent',
} as const satisfies Record<Principal['kind'], string>

/** Says that a valid credential is of a kind that the route does not accept. */
export function explainWrongKind(kind: Principal['kind'], access: Access): string {
  return `This operation does not accept ${KINDS[kind]}. ${describeAccepted(access)}`
}

function describeAccepted(access: Access): string {
  const { apiKey, session, signature } = ACCESS[access]
  const bearers = [
    ...(apiKey === 'allow' ? ['an API key (svc_live_…)'] : []),
    ...(session === 'UNAUTHENTICATED' ? [] : ['the access token of a signed-in session']),
  ]
  const accepted = [
    ...(bearers.length > 0 ? [`\`Authorization: Bearer\` with ${bearers.join(' or ')}`] : []),
    ...(signature === 'allow' ? ['a signed request (X-Svc-Signature)'] : []),
  ]
  return `Expected: ${accepted.join(', or ')}.`
}
