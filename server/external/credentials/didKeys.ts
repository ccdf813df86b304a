import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Did, parseDid } from '@svc/core/credentials/parseDid.ts'
import { base58btc } from 'multiformats/bases/base58'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import type { GetText } from '../outbound/outboundHttp.ts'

/** What a key of a DID is used for: to authenticate as its subject, or to issue credentials. Source: DID Core §5.3. */
type DidPurpose = 'authentication' | 'assertionMethod'

/** Resolves the keys of a DID for a purpose, or says why there are none. */
export type DidKeys = (
  did: Did,
  purpose: DidPurpose,
  kid: unknown,
) => Promise<KeyObject[] | 'unsupported' | 'unresolvable'>

const METHODS_MAX = 20

const methodSchema = z.object({
  id: z.string().max(1_000),
  publicKeyJwk: z.unknown().optional(),
  publicKeyMultibase: z.string().max(300).optional(),
})
const methodOrName = z.union([z.string().max(1_000), methodSchema])
const methodsSchema = z.array(methodOrName).max(METHODS_MAX).default([])
const documentSchema = z.object({
  id: z.string(),
  verificationMethod: z.array(methodSchema).max(METHODS_MAX).default([]),
  authentication: methodsSchema,
  assertionMethod: methodsSchema,
})

type Method = z.output<typeof methodSchema>

/**
 * Creates the resolver of DID keys. A `did:key` contains its key; a `did:web` names a document, which is fetched through
 * the guarded HTTP client.
 *
 * `kid` selects one of several keys. An Ethereum address is not a key; its holder is recovered from a signature instead.
 *
 * Source: DID Core §5; did:web method §2.5.2.
 */
export function createDidKeys(getText: GetText): DidKeys {
  return async (did, purpose, kid) => {
    if (did.method === 'ethr') return 'unsupported'
    if (did.method === 'key') {
      const key = readMultikey(did.multikey)
      return key === null ? 'unsupported' : [key]
    }
    const document = await readDocument(getText, did.url)
    if (document === null || parseDid(document.id)?.did !== did.did) return 'unresolvable'
    return keysOf(document.id, document.verificationMethod, document[purpose], kid)
  }
}

async function readDocument(getText: GetText, url: string): Promise<z.output<typeof documentSchema> | null> {
  try {
    const { status, body } = await getText(url, { Accept: 'application/did+json, application/json' })
    return status === 200 ? documentSchema.parse(JSON.parse(body)) : null
  } catch (error) {
    // The wait was refused, which says nothing of the document.
    if (error instanceof ApiError) throw error
    return null
  }
}

function keysOf(
  did: string,
  methods: readonly Method[],
  used: readonly (string | Method)[],
  kid: unknown,
): KeyObject[] {
  const fullName = (id: string) => (id.startsWith('#') ? did + id : id)
  const chosen = used
    .map((each) =>
      typeof each === 'string' ? methods.find(({ id }) => fullName(id) === fullName(each)) : each,
    )
    .filter((method) => method !== undefined)
    // A key under another DID belongs to that DID.
    .filter(({ id }) => fullName(id).startsWith(`${did}#`))
    .filter(({ id }) => typeof kid !== 'string' || fullName(id) === fullName(kid))
  return chosen
    .map(({ publicKeyJwk, publicKeyMultibase }) =>
      publicKeyMultibase === undefined ? readJwk(publicKeyJwk) : readMultikey(publicKeyMultibase),
    )
    .filter((key) => key !== null)
}

const coordinate = z.string().max(100)

/** Elliptic-curve public keys only: no shared secrets (`oct`), and private members are dropped. */
const jwkSchema = z.union([
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate }),
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(['P-256', 'P-384', 'secp256k1']),
    x: coordinate,
    y: coordinate,
  }),
])

/** Reads the public key of a JWK; null for another kind of key or a point off the curve. Source: RFC 7517; RFC 8037 §2. */
export function readJwk(jwk: unknown): KeyObject | null {
  const parsed = jwkSchema.safeParse(jwk)
  if (!parsed.success) return null
  try {
    return createPublicKey({ key: parsed.data, format: 'jwk' })
  } catch {
    return null
  }
}

/** Multicodec prefix, key length, and the DER prefix that completes a SubjectPublicKeyInfo. */
const KINDS = [
  { codec: 'ed01', length: 32, der: '302a300506032b6570032100' },
  { codec: '8024', length: 33, der: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
  { codec: 'e701', length: 33, der: '3036301006072a8648ce3d020106052b8104000a032200' },
] as const

/**
 * Reads the public key of a multibase text as in did:key: Ed25519, or compressed P-256 or secp256k1; null for anything
 * else. Source: did:key method §3; Multicodec table; RFC 8410; SEC 1 §2.3.3.
 */
export function readMultikey(text: string): KeyObject | null {
  try {
    const bytes = Buffer.from(base58btc.decode(text))
    const codec = bytes.subarray(0, 2).toString('hex')
    const kind = KINDS.find((each) => each.codec === codec && bytes.length === each.length + 2)
    if (kind === undefined || base58btc.encode(bytes) !== text) return null
    const key = Buffer.concat([Buffer.from(kind.der, 'hex'), bytes.subarray(2)])
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}
