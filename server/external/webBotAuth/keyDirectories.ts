import { z } from 'zod'
import type { GetText } from '../outboundHttp.ts'
import { readSigningKey, type SigningKey } from './readSigningKey.ts'

const WELL_KNOWN = '/.well-known/http-message-signatures-directory'
/** How long keys hold, and how soon an absent key or an unreachable directory is asked for again. */
const TTL_MS = 60 * 60_000
const RETRY_MS = 60_000
/** Past this an unreachable directory's keys no longer count. */
const STALE_MS = 24 * 60 * 60_000
/** Most keys of one directory that are read. */
const KEYS_MAX = 64
/** Keys that everybody can sign with: the Ed25519 key of RFC 9421 appendix B.1.4. */
const PUBLISHED_PRIVATE_KEYS: ReadonlySet<string> = new Set(['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'])

const directorySchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(KEYS_MAX) })

type DirectoryKey = SigningKey & { notBefore: number; notAfter: number }

type Directory = { keys: ReadonlyMap<string, DirectoryKey>; readAt: number; triedAt: number }

/** Whether a directory was read lately and has the key; `unreachable` says nothing about the signer. */
export type KeyLookUp = { found: 'key'; key: SigningKey } | { found: 'absent' | 'unreachable' }

export type KeyDirectories = ReturnType<typeof createKeyDirectories>

/**
 * The keys that platforms publish, by directory and key id: a key of one directory never speaks for another.
 *
 * Read at the first signature that names the directory, kept for an hour. A key that is not there is looked for again
 * after a minute, since directories rotate; one that a newer answer omits is gone. A directory that cannot be read keeps
 * what it had for a day: an outage is no revocation. Requests that wait for one directory share one fetch. The caller sees
 * to it that few origins are asked for.
 *
 * Source: draft-ietf-webbotauth-httpsig-protocol "Key Distribution and Discovery", "Discovery Failure", "SSRF".
 */
export function createKeyDirectories(deps: {
  getText: GetText
  onFailed(origin: string, reason: unknown): void
}) {
  const directories = new Map<string, Directory>()
  const fetches = new Map<string, Promise<void>>()

  async function fetchDirectory(origin: string, now: number): Promise<void> {
    const known = directories.get(origin)
    try {
      const { status, body } = await deps.getText(origin + WELL_KNOWN, {
        Accept: 'application/http-message-signatures-directory+json',
      })
      if (status !== 200) throw new Error(`the key directory answered ${status}`)
      directories.set(origin, { keys: await keysOf(body), readAt: now, triedAt: now })
    } catch (reason) {
      directories.set(origin, { keys: new Map(), readAt: Number.NEGATIVE_INFINITY, ...known, triedAt: now })
      deps.onFailed(origin, reason)
    }
  }

  return async (origin: string, keyid: string, now: number): Promise<KeyLookUp> => {
    if (isDue(directories.get(origin), keyid, now)) {
      const running = fetches.get(origin) ?? fetchDirectory(origin, now).finally(() => fetches.delete(origin))
      fetches.set(origin, running)
      await running
    }
    const directory = directories.get(origin)
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

async function keysOf(body: string): Promise<Map<string, DirectoryKey>> {
  const keys = new Map<string, DirectoryKey>()
  for (const jwk of directorySchema.parse(JSON.parse(body)).keys) {
    const key = await readSigningKey(jwk)
    if (key === undefined || PUBLISHED_PRIVATE_KEYS.has(key.keyid)) continue
    const [notBefore, notAfter] = [milliseconds(jwk.nbf, 0), milliseconds(jwk.exp, Number.POSITIVE_INFINITY)]
    keys.set(key.keyid, { ...key, notBefore, notAfter })
  }
  return keys
}

function milliseconds(seconds: unknown, otherwise: number): number {
  return typeof seconds === 'number' ? seconds * 1000 : otherwise
}
