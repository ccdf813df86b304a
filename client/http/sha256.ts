import { writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { bytesOf } from './bytes.ts'

/**
 * The SHA-256 digest of bytes, or of a text in UTF-8, by Web Crypto, which Node, browsers and edge runtimes share.
 *
 * Source: FIPS 180-4.
 */
export async function sha256(data: string | Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(data)))
}

/** Returns `Content-Digest` for the bytes of a body. Source: RFC 9530. */
export async function computeContentDigest(body: string | Uint8Array): Promise<string> {
  return writeContentDigest(await sha256(body))
}
