import { STATUS_LIST_PATH, type StatusReference } from '@svc/core/receipt/receipt.ts'
import type { SenderConfig } from '../http/createSender.ts'
import { createSharedRun } from '../http/createSharedRun.ts'
import { readText } from '../http/readResponse.ts'
import type { IssuerKeys } from './createIssuerKeys.ts'
import { readStatusList, type StatusList } from './readStatusList.ts'

/** The status lists of an issuer. */
export type StatusListCache = {
  /**
   * Returns the status of a grant, without a promise if the list is at hand. It is `unknown` if the list cannot be had, is
   * older than allowed, or does not cover the grant; never rejects.
   *
   * @param at Epoch milliseconds.
   */
  read(reference: StatusReference | undefined, at: number): GrantStatus | Promise<GrantStatus>
}

/** What is known of a grant. */
export type GrantStatus = 'valid' | 'withdrawn' | 'unknown'

/** How an issuer's status lists are fetched. */
export type StatusListCacheConfig = Pick<SenderConfig, 'fetch' | 'timeoutMs'> & {
  /** `PUBLIC_URL` of the service. */
  issuer: string
  /** From `createIssuerKeys`. */
  keys: IssuerKeys
  /** How old a list may be, from when it was issued, before nothing is accepted by it any more; default 120. */
  maxAgeSeconds?: number | undefined
}

type Entry = { list: StatusList | null; until: number; retryAt: number; refresh(at: number): Promise<void> }

const TIMEOUT_MS_DEFAULT = 5_000
const MAX_AGE_SECONDS_DEFAULT = 120
/** A list is at most 22,000 characters, however many of its grants are withdrawn. */
const BYTES_MAX = 65_536
const LISTS_MAX = 64
/** Bounds on the issuer's `ttl`, within which lists are neither fetched all the time nor kept forever. */
const TTL_SECONDS = { min: 1, max: 3_600 }
const RETRY_MS = 1_000

/**
 * Creates a cache of an issuer's status lists, which are fetched when a receipt refers to them.
 *
 * A list is fetched again in the background once its `ttl` has passed; `maxAgeSeconds` bounds how long a withdrawn grant can
 * go unnoticed, also while the issuer is unreachable. Only URLs of the issuer are ever fetched.
 *
 * Source: draft-ietf-oauth-status-list "Validation Rules".
 */
export function createStatusListCache(config: StatusListCacheConfig): StatusListCache {
  const { issuer, keys, fetch: fetchIt = fetch, timeoutMs = TIMEOUT_MS_DEFAULT } = config
  const maxAgeMs = (config.maxAgeSeconds ?? MAX_AGE_SECONDS_DEFAULT) * 1000
  const prefix = issuer + STATUS_LIST_PATH
  const entries = new Map<string, Entry>()

  async function fetchList(uri: string, at: number): Promise<StatusList> {
    const headers = { Accept: 'application/statuslist+jwt' }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetchIt(uri, { headers, redirect: 'manual', signal })
    if (!response.ok) throw new Error(`${uri} responded with ${response.status}`)
    return readStatusList(await readText(response, BYTES_MAX), { uri, keys, at })
  }

  function createEntry(uri: string): Entry {
    let at = 0
    const run = createSharedRun(async (isNewest) => {
      try {
        const list = await fetchList(uri, at)
        // An older list than the one at hand would hide withdrawals.
        if (!isNewest() || (entry.list !== null && list.issuedAt < entry.list.issuedAt)) return
        entry.list = list
        entry.until = at + Math.min(Math.max(list.ttlSeconds, TTL_SECONDS.min), TTL_SECONDS.max) * 1000
      } finally {
        entry.retryAt = at + RETRY_MS
      }
    })
    const entry: Entry = {
      ...{ list: null, until: 0, retryAt: 0 },
      refresh(time) {
        at = time
        return run()
      },
    }
    return entry
  }

  /** Most receipts refer to the same list. */
  let latest: { uri: string; entry: Entry } | undefined

  /** Undefined for a URL that is not one of the issuer's lists. */
  function openEntry(uri: string): Entry | undefined {
    if (latest?.uri === uri) return latest.entry
    if (!isListOf(uri, prefix)) return undefined
    const entry = entries.get(uri) ?? createEntry(uri)
    entries.delete(uri)
    entries.set(uri, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= LISTS_MAX) break
      entries.delete(oldest)
    }
    latest = { uri, entry }
    return entry
  }

  const isUsable = ({ list }: Entry, at: number) =>
    list !== null && at < list.expiresAt && at - list.issuedAt <= maxAgeMs

  const statusIn = (entry: Entry, { idx }: StatusReference, at: number): GrantStatus =>
    isUsable(entry, at) ? (entry.list?.statusAt(idx) ?? 'unknown') : 'unknown'

  return {
    read(reference, at) {
      if (reference === undefined) return 'unknown'
      const entry = openEntry(reference.uri)
      if (entry === undefined) return 'unknown'
      if (at >= entry.until && at >= entry.retryAt) {
        const refreshed = entry.refresh(at).catch(() => undefined)
        if (!isUsable(entry, at)) return refreshed.then(() => statusIn(entry, reference, at))
      }
      return statusIn(entry, reference, at)
    },
  }
}

function isListOf(uri: string, prefix: string): boolean {
  return uri.startsWith(prefix) && /^\d{1,10}$/.test(uri.slice(prefix.length))
}
