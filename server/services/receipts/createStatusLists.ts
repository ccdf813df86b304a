import { sha256Hex } from '@svc/core/hash.ts'
import { STATUS_LIST_PATH, STATUS_LIST_SIZE } from '@svc/core/receipt/receipt.ts'
import { apiError } from '../../errors.ts'
import type { ReceiptSigner } from '../../external/keys/receiptSigner.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'

export type StatusListsDeps = {
  receipts: Pick<ReceiptStore, 'withdrawnWithin'>
  /** The number of positions reserved so far; no receipt has a later one. */
  size(): Promise<number>
  encode(withdrawn: readonly number[]): string
  signer: Pick<ReceiptSigner, 'sign'>
  /** The issuer. */
  publicUrl: string
}

/** A signed status list and a validator for it. */
export type StatusListToken = { token: string; etag: string }

export type StatusLists = ReturnType<typeof createStatusLists>

/** After this time verifiers should fetch a list again. */
const TTL_SECONDS = 30
/** After this time verifiers must not rely on a list. */
const LIFE_SECONDS = 600
/**
 * Lists are issued as of these intervals, so that all processes issue the same bytes as long as nothing is withdrawn.
 */
const ISSUED_EVERY_SECONDS = 10
/** A withdrawal shows at the latest after this time: lists have no budget, so any number of requests must cost little. */
const CACHED_MS = 1_000
const CACHED_MAX = 64
/** Receipts that have just expired stay on their list, for verifiers whose clocks are behind. */
const KEPT_MS = 300_000

/**
 * Creates the status lists, which anyone may read: signed lists with a bit for each receipt, set if its grant was withdrawn.
 *
 * Source: draft-ietf-oauth-status-list; docs/receipts.md.
 */
export function createStatusLists(deps: StatusListsDeps) {
  const cached = new Map<number, { at: number; token: Promise<StatusListToken> }>()
  let sized: { at: number; size: Promise<number> } | null = null

  function readSize(now: number): Promise<number> {
    if (sized === null || now - sized.at >= CACHED_MS) sized = { at: now, size: deps.size() }
    return sized.size
  }

  async function issue(list: number, now: number): Promise<StatusListToken> {
    const first = list * STATUS_LIST_SIZE
    const range = { first, end: first + STATUS_LIST_SIZE }
    const withdrawn = await deps.receipts.withdrawnWithin(range, now - KEPT_MS)
    const iat = Math.floor(now / 1000 / ISSUED_EVERY_SECONDS) * ISSUED_EVERY_SECONDS
    const token = deps.signer.sign('statuslist+jwt', {
      iss: deps.publicUrl,
      sub: `${deps.publicUrl}${STATUS_LIST_PATH}${list}`,
      iat,
      exp: iat + LIFE_SECONDS,
      ttl: TTL_SECONDS,
      status_list: { bits: 1, lst: deps.encode(withdrawn.map((index) => index - first)) },
    })
    return { token, etag: `"${sha256Hex(token).slice(0, 32)}"` }
  }

  return {
    /**
     * Returns a list as of at most a second ago.
     *
     * @throws ApiError NOT_FOUND for a list that no receipt refers to.
     */
    async read({ list, now }: { list: number; now: number }): Promise<StatusListToken> {
      if (list * STATUS_LIST_SIZE >= (await readSize(now))) throw apiError('NOT_FOUND')
      const known = cached.get(list)
      if (known !== undefined && now - known.at < CACHED_MS) return known.token
      const token = issue(list, now)
      cached.delete(list)
      cached.set(list, { at: now, token })
      for (const oldest of cached.keys()) {
        if (cached.size <= CACHED_MAX) break
        cached.delete(oldest)
      }
      token.catch(() => cached.delete(list))
      return token
    },
  }
}
