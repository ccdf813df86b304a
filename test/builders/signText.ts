import { createPrivateKey, sign } from 'node:crypto'
import type { createAgentKey } from './createAgentKey.ts'

/** Signs a text with a key of an agent, by the algorithm of the key in RFC 9421. */
export function signText(
  { privateJwk }: Pick<ReturnType<typeof createAgentKey>, 'privateJwk'>,
  text: string,
): Buffer {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const hash = privateJwk.crv === 'Ed25519' ? null : 'sha256'
  return sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
}
