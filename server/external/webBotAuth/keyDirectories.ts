import { PUBLISHED_PRIVATE_KEYS } from '@svc/core/signing/publishedPrivateKeys.ts'
import { z } from 'zod'
import { readSigningKey, type SigningKey } from '../httpSignatures/readSigningKey.ts'
import type { GetText } from '../outbound/outboundHttp.ts'

/** That of a directory at the well-known URI, and those of other JWK Sets. */
const MEDIA_TYPES =
  'application/http-message-signatures-directory+json, application/jwk-set+json, application/json'
/** How long keys are cached, and how soon a missing key or an unreachable directory is requested again. */
const TTL_MS = 60 * 60_000
const RETRY_MS = 60_000
/** How long the keys of an unreachable directory remain valid. */
const STALE_MS = 24 * 60 * 60_000
/** How many keys a directory may have. */
const KEYS_MAX = 64

const directorySchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(KEYS_MAX) })

type DirectoryKey = SigningKey & { notBefore: number; notAfter: number }

type Directory = { keys: ReadonlyMap<string, DirectoryKey>; readAt: number; triedAt: number }

/** The result of looking up a key; `unreachable` says nothing about the signer. */
export type KeyLookup = { found: 'key'; key: SigningKey } | { found: 'absent' | 'unreachable' }

export type KeyDirectories = ReturnType<typeof createKeyDirectories>

/**
 * Caches the keys that platforms publish, by directory and key ID. A key is valid only for its own directory, which is any
 * JWK Set; its labels (`kid`) are the operator's, so keys are found by their thumbprints.
 *
 * A directory is fetched at the first signature that names it and cached for an hour. A missing key is looked up again after
 * a minute, because directories rotate their keys; a key missing from a newer response is dropped. The keys of an
 * unreachable directory remain valid for a day, because an outage is not a revocation. Concurrent requests share one fetch.
 * The caller must restrict the directories.
 *
 * Source: draft-ietf-webbotauth-httpsig-protocol "Key Distribution and Discovery", "Discovery Failure", "SSRF".
 */
export function createKeyDirectories(deps: {
  getText: GetText
  onFailed(directoryUrl: string, reason: unknown): void
}) {
  const directories = new Map<string, Directory>()
  const fetches = new Map<string, Promise<void>>()

  async function fetchDirectory(url: string, now: number): Promise<void> {
    const known = directories.get(url)
    try {
      const { status, body } = await deps.getText(url, { Accept: MEDIA_TYPES })
      if (status !== 200) throw new Error(`the key directory responded with ${status}`)
      directories.set(url, { keys: await readKeys(body), readAt: now, triedAt: now })
    } catch (reason) {
      directories.set(url, { keys: new Map(), readAt: Number.NEGATIVE_INFINITY, ...known, triedAt: now })
      deps.onFailed(url, reason)
    }
  }

  return async (url: string, keyid: string, now: number): Promise<KeyLookup> => {
    if (isDue(directories.get(url), keyid, now)) {
      const running = fetches.get(url) ?? fetchDirectory(url, now).finally(() => fetches.delete(url))
      fetches.set(url, running)
      await running
    }
    const directory = directories.get(url)
    if (directory === undefined || now - directory.readAt >= STALE_MS) return { found: 'unreachable' }
    const key = directory.keys.get(keyid)
    const isCurrent = key !== undefined && key.notBefore <= now && now < key.notAfter
    return isCurrent ? { found: 'key', key } : { found: 'absent' }
  }
}

function isDue(directory: Directory | undefined, keyid: string, now: number): boolean {
  if (directory === undefined) return true
  if (now - directory.triedAt < RETRY_MS) return false
  return now - directory.readAt >= TTL_MS || !directory.keys.has(keyid)
}

/** Reads the keys of a directory, by key ID, without those that anyone can sign with. */
export async function readKeys(body: string): Promise<Map<string, DirectoryKey>> {
  const keys = new Map<string, DirectoryKey>()
  for (const jwk of directorySchema.parse(JSON.parse(body)).keys) {
    const key = await readSigningKey(jwk)
    if (key === undefined || PUBLISHED_PRIVATE_KEYS.has(key.keyid)) continue
    const [notBefore, notAfter] = [
      toMilliseconds(jwk.nbf, 0),
      toMilliseconds(jwk.exp, Number.POSITIVE_INFINITY),
    ]
    keys.set(key.keyid, { ...key, notBefore, notAfter })
  }
  return keys
}

function toMilliseconds(seconds: unknown, otherwise: number): number {
  return typeof seconds === 'number' ? seconds * 1000 : otherwise
}
