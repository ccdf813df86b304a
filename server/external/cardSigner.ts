import { createHash, createPrivateKey, sign } from 'node:crypto'
import { base64url } from 'jose'
import type { SigningKey } from './readSigningKey.ts'

/** One signature of a card. Source: A2A 1.0 §4.4.7; RFC 7515 §7.2. */
export type CardSignature = { protected: string; signature: string }

export type CardSigner = ReturnType<typeof createCardSigner>

const ALGORITHM = 'ES256'
/** Signatures that are remembered: a card that is asked for again is not signed again. */
const REMEMBERED = 2_000

/**
 * Signs agent cards: detached JWS, ES256, by a key of its own that is published in the key set.
 *
 * The key signs nothing else, so that no text of a card, much of which its owner chooses, can be taken for a token.
 * Equal texts get equal signatures as long as they are remembered, so that a cached card stays good.
 *
 * @param options.keySetUrl Where the public key is published (`jku`).
 * Source: api.md "Agent card"; A2A 1.0 §8.4; RFC 7515.
 */
export function createCardSigner(options: { key: SigningKey; keySetUrl: string }) {
  const { kty, crv, x, y } = options.key
  const privateKey = createPrivateKey({ key: options.key, format: 'jwk' })
  // RFC 7638 §3: the required members in this order.
  const kid = base64url.encode(createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest())
  const remembered = new Map<string, CardSignature>()

  function signed(type: string, text: string): CardSignature {
    const header = JSON.stringify({ alg: ALGORITHM, typ: type, kid, jku: options.keySetUrl })
    const protectedHeader = base64url.encode(header)
    const input = Buffer.from(`${protectedHeader}.${base64url.encode(text)}`)
    const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return { protected: protectedHeader, signature: base64url.encode(signature) }
  }

  return {
    publicKey: { kty, crv, x, y, kid, use: 'sig', alg: ALGORITHM },

    /** @param type `typ` of the signature: what the text is a form of. */
    sign(type: string, text: string): CardSignature {
      const name = `${type} ${createHash('sha256').update(text).digest('base64')}`
      const found = remembered.get(name) ?? signed(type, text)
      remembered.delete(name)
      remembered.set(name, found)
      for (const oldest of remembered.keys()) {
        if (remembered.size <= REMEMBERED) break
        remembered.delete(oldest)
      }
      return found
    },
  }
}
