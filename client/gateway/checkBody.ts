import { parseContentDigest } from '@svc/core/signing/contentDigest.ts'
import { bytesOf } from '../http/bytes.ts'
import { readHeaders } from '../http/readHeaders.ts'
import { computeContentDigest } from '../http/sha256.ts'
import { type GatewayRefusal, gatewayRefusal } from './gatewayRefusal.ts'
import { listCoveredNames } from './readCoveredHeaders.ts'
import { isProving } from './receivedBody.ts'
import type { RequestFacts } from './requestFacts.ts'

/** The digest to hand over, or why the request is refused before anything is asked. */
type CheckedBody =
  | { refusal: GatewayRefusal }
  | { refusal?: undefined; contentDigest: string | undefined; isConsumed?: boolean }

/** Handed over for a body whose digest is not known, so that no proof without a digest of the body counts for it. */
const UNKNOWN_DIGEST = 'unknown'
/** Those that Web Crypto computes, under the same names. */
const ALGORITHMS = ['sha-256', 'sha-512']
const NONE = { contentDigest: undefined }

/**
 * Compares the body of a request that proves its sender with the `Content-Digest` that its signature covers, and returns the
 * digest to hand over to the service.
 *
 * That is the header if the signature covers it. Otherwise it is computed, so that the service refuses a signature that
 * leaves the body open, and compares the body with an intent proof. A body that nobody can read has no digest: a signature
 * that covers it cannot be verified.
 *
 * Source: RFC 9530 §2; RFC 9421 §7.2.8.
 */
export async function checkBody({ headers: sent, metadata = {}, body }: RequestFacts): Promise<CheckedBody> {
  const headers = readHeaders(sent ?? {})
  const hasProof = Object.keys(metadata).some((name) => name.toLowerCase() === 'x-svc-proof')
  if (body === undefined || !(isProving(headers) || hasProof)) return NONE
  const isCovered = headers.signature !== undefined && listCoveredNames(headers).has('content-digest')
  if (typeof body === 'object' && 'unread' in body) {
    if (body.unread === 'too_long' && isCovered) return { refusal: gatewayRefusal.bodyTooLong() }
    const isConsumed = body.unread === 'consumed'
    return { contentDigest: isCovered ? undefined : UNKNOWN_DIGEST, isConsumed }
  }
  const digest = headers['content-digest']
  if (isCovered && digest !== undefined) {
    return (await isDigestOf(digest, body))
      ? { contentDigest: digest }
      : { refusal: gatewayRefusal.digestMismatch() }
  }
  return body.length === 0 ? NONE : { contentDigest: await computeContentDigest(body) }
}

/** Every digest that can be computed must be right, and at least one. */
async function isDigestOf(header: string, body: string | Uint8Array): Promise<boolean> {
  const known = [...(parseContentDigest(header) ?? [])].filter(([algorithm]) =>
    ALGORITHMS.includes(algorithm),
  )
  for (const [algorithm, stated] of known) {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytesOf(body)))
    if (digest.length !== stated.length || digest.some((byte, at) => byte !== stated[at])) return false
  }
  return known.length > 0
}
