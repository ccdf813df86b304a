import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'

export type CredentialHolder = ReturnType<typeof createCredentialHolder>

const KINDS = {
  Ed25519: { alg: 'EdDSA', codec: [0xed, 0x01], hash: null },
  'P-256': { alg: 'ES256', codec: [0x80, 0x24], hash: 'sha256' },
  secp256k1: { alg: 'ES256K', codec: [0xe7, 0x01], hash: 'sha256' },
} as const

export type HolderKind = keyof typeof KINDS

/** Creates a key with its did:key; the holder signs tokens. */
export function createCredentialHolder(kind: HolderKind = 'Ed25519') {
  const { alg, codec, hash } = KINDS[kind]
  const { publicKey, privateKey } =
    kind === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: kind })
  const multikey = base58btc.encode(Buffer.concat([Buffer.from(codec), compressKey(publicKey)]))
  const did = `did:key:${multikey}`
  const signText = (text: string) =>
    sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return {
    alg,
    did,
    multikey,
    publicKey,
    privateKey,
    jwk: publicKey.export({ format: 'jwk' }),
    /** Signs a text; returns base64url. */
    signText,
    /** Signs a compact JWS. */
    token(payload: object, header: object = {}): string {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const input = `${part({ alg, ...header })}.${part(payload)}`
      return `${input}.${signText(input)}`
    },
  }
}

function compressKey(key: KeyObject): Buffer {
  const { x = '', y } = key.export({ format: 'jwk' })
  const bytes = Buffer.from(x, 'base64url')
  if (y === undefined) return bytes
  const isOdd = ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1) === 1
  return Buffer.concat([Buffer.from([isOdd ? 3 : 2]), bytes])
}
