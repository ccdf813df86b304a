import { createHash, createPrivateKey } from 'node:crypto'
import { FlattenedSign } from 'jose'
import { type PrivateJwk, toPublicJwk } from './keyRing.ts'

/** One signature of a card. Source: A2A 1.0 §4.4.7; RFC 7515 §7.2. */
export type CardSignature = { protected: string; signature: string }

export type CardSigner = ReturnType<typeof createCardSigner>

const ALGORITHM = 'ES256'
/** How many signatures are remembered, so that a card requested again is not signed again. */
const REMEMBERED_MAX = 2_000

/**
 * Signs agent cards: detached JWS, ES256, with a dedicated key that is published in the key set.
 *
 * The key signs nothing else: an owner chooses much of a card's text, and none of it must pass for a token.
 * Equal texts get equal signatures while they are remembered, so a cached card stays valid.
 *
 * @param options.keySetUrl Where the public key is published (`jku`).
 * Source: A2A 1.0 §8.4; RFC 7515.
 */
export function createCardSigner(options: { key: PrivateJwk; keySetUrl: string }) {
  const privateKey = createPrivateKey({ key: { kty: 'EC', ...options.key }, format: 'jwk' })
  const { kid } = toPublicJwk(options.key)
  const remembered = new Map<string, Promise<CardSignature>>()

  async function createSignature(type: string, text: string): Promise<CardSignature> {
    const jws = await new FlattenedSign(Buffer.from(text))
      .setProtectedHeader({ alg: ALGORITHM, typ: type, kid, jku: options.keySetUrl })
      .sign(privateKey)
    return { protected: jws.protected ?? '', signature: jws.signature }
  }

  return {
    /** @param type `typ` of the signature: which form of the card the text is. */
    sign(type: string, text: string): Promise<CardSignature> {
      const name = `${type} ${createHash('sha256').update(text).digest('base64')}`
      const found = remembered.get(name) ?? createSignature(type, text)
      remembered.delete(name)
      remembered.set(name, found)
      for (const oldest of remembered.keys()) {
        if (remembered.size <= REMEMBERED_MAX) break
        remembered.delete(oldest)
      }
      return found
    },
  }
}
