import { writeContentDigest } from '@svc/core/signing/contentDigest.ts'

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

/** The bytes of a text in UTF-8. Bytes are passed on: Web Crypto only reads them, whatever buffer they are in. */
export function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === 'string' ? new TextEncoder().encode(data) : (data as Uint8Array<ArrayBuffer>)
}
