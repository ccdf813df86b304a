import { RECEIPT_ALGORITHM } from '@svc/core/receipt/receipt.ts'
import { createSender, type Send, type SenderConfig } from '../http/createSender.ts'
import { createSharedRun } from '../http/createSharedRun.ts'
import { importVerifyingKey, type VerifyingKey } from '../signatures/importVerifyingKey.ts'

/** A public key as a JWK. Members that do not matter here are allowed. Source: RFC 7517 §4. */
export type ReceiptKey = Readonly<Record<string, unknown>>

/** The keys with which an issuer signs receipts and status lists. */
export type IssuerKeys = {
  /** Returns the key with this id; undefined if the issuer has none. @throws Error if the keys cannot be had. */
  find(kid: string): VerifyingKey | undefined | Promise<VerifyingKey | undefined>
}

/** Where an issuer's keys come from. */
export type IssuerKeysConfig = Pick<SenderConfig, 'fetch' | 'timeoutMs'> & {
  /** `PUBLIC_URL` of the service. */
  issuer: string
  /** The keys that the issuer publishes, if they are not to be fetched. */
  keys?: readonly ReceiptKey[] | undefined
  /** Epoch milliseconds; default the clock. */
  now?: (() => number) | undefined
}

const KEYS_MAX = 50
/** After this time the keys are fetched again in the background, so that a key that was removed is no longer accepted. */
const REFRESH_MS = 600_000
/** How often tokens with invented key ids can cause a fetch, and how often one is tried while none succeeds. */
const PAUSE_MS = { found: 30_000, failed: 1_000 }

/**
 * Creates the keys of an issuer, which are fetched from its `/.well-known/jwks.json` when the first token names one, and
 * imported once. While they cannot be fetched again, those at hand stay valid: verification goes on offline.
 *
 * With `keys`, nothing is ever fetched.
 *
 * @throws Error without an issuer.
 */
export function createIssuerKeys(config: IssuerKeysConfig): IssuerKeys {
  const { issuer, keys: given, now = Date.now } = config
  if (!issuer) throw new Error('issuer is missing: pass PUBLIC_URL of the service')
  const send = createSender({ ...config, baseUrl: issuer })
  let imported: Map<string, VerifyingKey> | null = null
  let importedAt = 0
  let triedAt = Number.NEGATIVE_INFINITY

  const refresh = createSharedRun(async (isNewest) => {
    try {
      const found = await importKeys(given ?? (await fetchKeys(send)))
      if (!isNewest()) return
      imported = found
      importedAt = now()
    } finally {
      triedAt = now()
    }
  }, now)

  return {
    find(kid) {
      const known = imported?.get(kid)
      const pauseMs = imported === null ? PAUSE_MS.failed : PAUSE_MS.found
      const isFinal = (given !== undefined && imported !== null) || now() - triedAt < pauseMs
      if (known !== undefined) {
        if (!isFinal && now() - importedAt >= REFRESH_MS) refresh().catch(() => undefined)
        return known
      }
      if (!isFinal) return refresh().then(() => imported?.get(kid))
      return imported === null ? Promise.reject(new Error('the keys of the issuer cannot be had')) : undefined
    },
  }
}

async function fetchKeys(send: Send): Promise<readonly ReceiptKey[]> {
  const path = '/.well-known/jwks.json'
  const { keys } = await send<{ keys?: unknown }>({ method: 'GET', path, retry: 'always' })
  if (Array.isArray(keys)) return keys
  throw new Error('the issuer publishes no keys')
}

/** Keys of other algorithms, with which the issuer signs other things, are left out. */
async function importKeys(keys: readonly ReceiptKey[]): Promise<Map<string, VerifyingKey>> {
  const own = keys.filter(
    ({ kid, crv, alg }) => typeof kid === 'string' && crv === 'Ed25519' && alg === RECEIPT_ALGORITHM,
  )
  const imported = new Map<string, VerifyingKey>()
  for (const jwk of own.slice(0, KEYS_MAX)) {
    const key = await importVerifyingKey(jwk)
    if (key !== undefined) imported.set(String(jwk.kid), key)
  }
  return imported
}
