import { createPublicKey, type KeyObject } from 'node:crypto'
import { RECEIPT_ALGORITHM } from '@svc/core/receipt/receipt.ts'
import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { createEd25519Signer } from '../ed25519/createEd25519Signer.ts'

export type ReceiptSigner = ReturnType<typeof createReceiptSigner>

/**
 * Signs receipts and their status lists: compact JWS, Ed25519, with a key that signs nothing else.
 *
 * Own code, measured: with `jose`, which signs asynchronously, a receipt could not be built inside the transaction that
 * records its decision.
 *
 * Source: RFC 7515 §5.1; RFC 8037 §3.1; RFC 7638 for the key's id.
 */
export function createReceiptSigner(key: KeyObject) {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const [kty, crv, use, alg] = ['OKP', 'Ed25519', 'sig', RECEIPT_ALGORITHM] as const
  const kid = computeKeyThumbprint({ kty, crv, x })
  const signBytes = createEd25519Signer(key)
  const headers = new Map<string, string>()

  function headerOf(type: string): string {
    const known = headers.get(type)
    if (known !== undefined) return known
    const header = Buffer.from(JSON.stringify({ alg, kid, typ: type })).toString('base64url')
    headers.set(type, header)
    return header
  }

  return {
    /** The key that others verify with. Source: RFC 7517 §4. */
    publicKey: { kty, crv, x, kid, use, alg },

    /**
     * Signs claims under a media type. The same claims always have the same signature.
     *
     * @param type `typ` of the header, one of few.
     */
    sign(type: string, claims: object): string {
      const text = `${headerOf(type)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return `${text}.${signBytes(Buffer.from(text)).toString('base64url')}`
    },
  }
}
