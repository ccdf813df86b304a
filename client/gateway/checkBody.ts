import { encodeBase64 } from '@svc/core/bytes.ts'
import { parseContentDigest } from '@svc/core/signing/contentDigest.ts'
import { readPresentedIdentity } from '../agent/readPresentedIdentity.ts'
import { bytesOf } from '../http/bytes.ts'
import { computeContentDigest } from '../http/sha256.ts'
import { type DigestFault, type GatewayRefusal, gatewayRefusal } from './gatewayRefusal.ts'
import type { ReceivedRequest } from './readRequest.ts'

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
 * Compares the body of a request that proves its sender with the `Content-Digest` that its signature covers and with the
 * hash that its intent proof states, and returns the digest to hand over to the service.
 *
 * That is the header if a signature covers it. Otherwise it is computed, so that the service refuses a signature that leaves
 * the body open. A body that nobody can read has no digest: a signature that covers it is denied, and neither another
 * signature nor an intent proof may count for it.
 *
 * Source: RFC 9530 §2; RFC 9421 §7.2.8.
 */
export async function checkBody({ facts, headers, covered: lists }: ReceivedRequest): Promise<CheckedBody> {
  const { body, metadata } = facts
  if (body === undefined) return NONE
  const presented = metadata && readPresentedIdentity(metadata).intentProof
  const proof = presented ?? headers['x-svc-proof']
  if (headers.signature === undefined && !proof) return NONE
  const covering = lists.filter((names) => names.includes('content-digest'))
  if (typeof body === 'object' && 'unread' in body) {
    const { unread } = body
    if (unread !== 'consumed' && (unread !== 'too_long' || covering.length > 0)) {
      return { refusal: gatewayRefusal.bodyUnread(unread) }
    }
    // Anyone on the way can add a signature, so one that covers the body says nothing about the others.
    const isOpen = covering.length < lists.length || lists.length === 0 || proof !== undefined
    return { contentDigest: isOpen ? UNKNOWN_DIGEST : undefined, isConsumed: unread === 'consumed' }
  }
  const digest = covering.length > 0 ? headers['content-digest'] : undefined
  const fault =
    (await findFault(digest, 'signature', body)) ?? (await findFault(readBodyHash(proof), 'proof', body))
  if (fault !== undefined) return { refusal: gatewayRefusal.digestMismatch(fault) }
  if (digest !== undefined) return { contentDigest: digest }
  return body.length === 0 ? NONE : { contentDigest: await computeContentDigest(body) }
}

/** Reads the hash in an intent proof. The service verifies the proof, and refuses one that cannot be read. */
function readBodyHash(proof: string | undefined): string | undefined {
  if (proof === undefined) return undefined
  const [, payload = ''] = proof.split('.')
  try {
    const { bodyHash } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof bodyHash === 'string' ? bodyHash : undefined
  } catch {
    return undefined
  }
}

/** Every digest that can be computed must be right, and at least one. */
async function findFault(
  stated: string | undefined,
  by: 'signature' | 'proof',
  body: string | Uint8Array,
): Promise<DigestFault | undefined> {
  if (stated === undefined) return undefined
  const known = [...(parseContentDigest(stated) ?? [])].filter(([algorithm]) =>
    ALGORITHMS.includes(algorithm),
  )
  for (const [algorithm, text] of known) {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytesOf(body)))
    if (encodeBase64(digest) !== text) return by
  }
  if (known.length > 0) return undefined
  return by === 'proof' ? 'proof' : 'unreadable'
}
