import { bytesOf } from '../http/bytes.ts'
import type { AgentSigner, KeyAlgorithm } from './agentSigner.ts'
import { computeThumbprint } from './computeThumbprint.ts'
import { findKeyAlgorithm, WEB_CRYPTO_ALGORITHMS } from './keyAlgorithms.ts'

/** The public half of an agent's key, as the service stores it. Source: RFC 7517; RFC 8037. */
export type PublicKey = {
  kty: 'OKP' | 'EC'
  crv: 'Ed25519' | 'P-256'
  x: string
  y?: string | undefined
  /** JWK thumbprint (RFC 7638). */
  kid: string
}

/** `CryptoKey` of the platform: only the types of browsers declare that name. */
export type WebCryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * The halves of a key, as Web Crypto has them.
 *
 * Written out, as is `PrivateKey`: projects without the types of browsers have no `CryptoKeyPair` and no `JsonWebKey`.
 */
export type KeyPair = { privateKey: WebCryptoKey; publicKey: WebCryptoKey }

/** A private key as a JWK. Source: RFC 7517; RFC 8037. */
export type PrivateKey = {
  kty?: string
  crv?: string
  x?: string
  y?: string
  d?: string
}

/** A key of an agent. */
export type AgentKey = AgentSigner & {
  readonly algorithm: KeyAlgorithm
  /**
   * The handles of Web Crypto. IndexedDB can store them, also if the private key cannot be exported; `importAgentKey` takes
   * them back.
   */
  readonly pair: KeyPair
}

/** What `importAgentKey` takes: a private JWK, or the pair of an earlier key. */
export type KeyToImport = PrivateKey | KeyPair

/**
 * Generates a key for an agent, by default an Ed25519 key whose private half cannot leave the platform.
 *
 * Such a key is lost with the process unless its `pair` is stored in IndexedDB. On a server, use `openAgentKey` of
 * `@svc/client/node`, which stores the key in a file.
 *
 * @param options `extractable` lets the private half be exported: `crypto.subtle.exportKey('jwk', key.pair.privateKey)`.
 */
export async function generateAgentKey(
  options: { algorithm?: KeyAlgorithm | undefined; extractable?: boolean | undefined } = {},
): Promise<AgentKey> {
  const { algorithm = 'ed25519', extractable = false } = options
  const pair = await crypto.subtle.generateKey(WEB_CRYPTO_ALGORITHMS[algorithm], extractable, [
    'sign',
    'verify',
  ])
  return keyOf(pair as KeyPair, algorithm)
}

/**
 * Imports a key: a private JWK (Ed25519 or P-256), or the `pair` of an earlier key. An imported JWK cannot be exported
 * again.
 *
 * @throws Error for any other key, and for one whose halves do not belong together, with which every signature would fail.
 */
export async function importAgentKey(key: KeyToImport): Promise<AgentKey> {
  const pair = 'privateKey' in key ? key : await importPair(key)
  const algorithm = requireAlgorithm(await exportPublicKey({ pair }))
  const imported = await keyOf(pair, algorithm)
  const signature = (await imported.sign('')) as Uint8Array<ArrayBuffer>
  if (await crypto.subtle.verify(WEB_CRYPTO_ALGORITHMS[algorithm], pair.publicKey, signature, bytesOf('')))
    return imported
  throw new Error('the private key does not belong to the public key')
}

/** Returns the public half of a key as a JWK, for the registration of the agent or for its key directory. */
export async function exportPublicKey({ pair }: Pick<AgentKey, 'pair'>): Promise<PublicKey> {
  const { crv, kty, x, y } = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as PublicKey
  const key = { crv, kty, x, ...(y === undefined ? {} : { y }) }
  return { ...key, kid: await computeThumbprint(key) }
}

async function importPair({ kty, crv, x, y, d }: PrivateKey): Promise<KeyPair> {
  const kind = WEB_CRYPTO_ALGORITHMS[requireAlgorithm({ crv })]
  if (d === undefined) throw unusable()
  const importJwk = (half: JsonWebKey, extractable: boolean, usage: KeyUsage) =>
    crypto.subtle.importKey(
      'jwk',
      { kty, crv, x, ...(y === undefined ? {} : { y }), ...half },
      kind,
      extractable,
      [usage],
    )
  return { privateKey: await importJwk({ d }, false, 'sign'), publicKey: await importJwk({}, true, 'verify') }
}

function requireAlgorithm({ crv }: PrivateKey): KeyAlgorithm {
  const algorithm = findKeyAlgorithm(crv)
  if (algorithm === undefined) throw unusable()
  return algorithm
}

function unusable(): Error {
  return new Error('expected a private Ed25519 or P-256 key')
}

async function keyOf(pair: KeyPair, algorithm: KeyAlgorithm): Promise<AgentKey> {
  const { kid: keyid } = await exportPublicKey({ pair })
  const kind = WEB_CRYPTO_ALGORITHMS[algorithm]
  const sign = async (text: string) =>
    new Uint8Array(await crypto.subtle.sign(kind, pair.privateKey, bytesOf(text)))
  return { algorithm, keyid, pair, sign }
}
