import { createECDH, createPrivateKey } from 'node:crypto'

/** The times and the random values of the vectors; `CREATED` is in Unix seconds. */
export const CREATED = 1_767_225_600
export const NONCE = 'bm90LXJhbmRvbS1ub25jZQ'
export const AGENT = 'SVC-7VK9WufhHc52ySaxQoLo8E'
export const ENDPOINT = 'SVCE-7VK9WufhHc52ySaxQoLo8E'
export const NOTE = 'The private key is public, for tests only: never register it.'

/** Keys whose private half anyone can type. */
export const ED25519 = ed25519Key(0x22).export({ format: 'jwk' })
export const P256 = p256Key(Buffer.alloc(32, 0x33))
export const SECP256K1 = `0x${'11'.repeat(32)}` as const

/** Returns the Ed25519 key whose private half repeats a byte. */
export function ed25519Key(byte: number) {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({
    key: Buffer.concat([prefix, Buffer.alloc(32, byte)]),
    ...{ format: 'der', type: 'pkcs8' },
  })
}

function p256Key(d: Buffer): JsonWebKey {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') }
}
