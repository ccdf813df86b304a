import type { KeyObject } from 'node:crypto'
import { type Did, parseDid } from '@svc/core/credentials/parseDid.ts'
import { z } from 'zod'
import type { GetText } from '../outboundHttp.ts'
import { readJwk } from './readJwk.ts'
import { readMultikey } from './readMultikey.ts'

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
  } catch {
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
