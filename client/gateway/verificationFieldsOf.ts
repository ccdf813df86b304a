import { readIdentityHeaders, readPresentedIdentity } from '../agent/readPresentedIdentity.ts'
import { readCoveredHeaders } from './readCoveredHeaders.ts'
import type { ReceivedRequest } from './readRequest.ts'
import type { VerificationFields } from './verificationFields.ts'

/**
 * Returns the fields of verify-access for a request. Source: Spec: Agent-side request headers.
 *
 * Fields of the application take precedence unless they are undefined: an undefined `resource` must not remove the path, or
 * the request would be decided without a resource. So do the members of its `callerMetadata`, one by one: the service needs
 * the others to recognise a platform and to verify a signature.
 *
 * @param contentDigest From `checkBody`.
 */
export function verificationFieldsOf(
  request: ReceivedRequest,
  contentDigest?: string | undefined,
): VerificationFields {
  const { facts, headers, path } = request
  const { fields, metadata } = facts
  const sent = readIdentityHeaders(headers)
  const presented = metadata === undefined ? sent : { ...sent, ...definedOf(readPresentedIdentity(metadata)) }
  const { agentId, purpose, jurisdiction, sessionDuration, attemptId, agentCardUrl } = presented
  const { intentProof, agentToken } = presented
  const callerMetadata = describeCaller(request, agentCardUrl, contentDigest)
  const known: VerificationFields = {
    agentId,
    purpose,
    jurisdiction,
    sessionDuration,
    attemptId,
    intentProof,
    agentToken,
    resource: path,
    callerMetadata,
  }
  if (fields === undefined) return known
  return {
    ...known,
    ...definedOf(fields),
    callerMetadata: { ...callerMetadata, ...definedOf(fields.callerMetadata ?? {}) },
  }
}

/**
 * Returns what is known of the caller and, if the request has a signature, what that may cover, for the service to verify
 * (Web Bot Auth).
 *
 * Behind a proxy that terminates TLS, the scheme is correct only if the framework trusts the proxy.
 */
function describeCaller(
  { facts, headers, covered }: ReceivedRequest,
  agentCardUrl: string | undefined,
  contentDigest: string | undefined,
): NonNullable<VerificationFields['callerMetadata']> {
  const { signature, host, referer } = headers
  const { sourceIp, method, scheme = 'http', target = '/' } = facts
  const userAgent = headers['user-agent']
  const payment = readPayment(headers)
  const forwardedFor = headers['x-forwarded-for']
  const signatureInput = headers['signature-input']
  const known = {
    ...{ sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl, contentDigest, signatureInput },
  }
  if (signature === undefined) {
    // What is left of a signature is no request without one, so the service refuses it.
    return payment === undefined ? known : { ...known, ...payment }
  }
  return {
    // No header replaces what has a name of its own.
    ...readCoveredHeaders(headers, covered),
    ...payment,
    ...known,
    signature,
    signatureAgent: headers['signature-agent'],
    method,
    targetUri: target.startsWith('/') ? `${scheme}://${host ?? ''}${target}` : target,
  }
}

const PAYMENT_HEADERS = ['payment-signature', 'x-payment'] as const
/** The service takes no longer values. */
const PAYMENT_CHARACTERS_MAX = 8_192

/** Reads the payment of x402 that a request carries, for the service to check. Source: x402 v1 and v2, Transport: HTTP. */
function readPayment(headers: ReceivedRequest['headers']): Record<string, string> | undefined {
  for (const name of PAYMENT_HEADERS) {
    const value = headers[name]
    if (value !== undefined && value.length <= PAYMENT_CHARACTERS_MAX) return { [name]: value }
  }
  return undefined
}

function definedOf<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
}
