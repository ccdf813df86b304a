import { decodeBase64Url } from '@svc/core/bytes.ts'
import { isJsonObject } from '@svc/core/json.ts'
import type { IssuerKeys } from './createIssuerKeys.ts'
import { issuerToken } from './issuerToken.ts'

/** A verified status list; times are epoch milliseconds. */
export type StatusList = {
  issuedAt: number
  /** Infinity if the issuer states none. */
  expiresAt: number
  ttlSeconds: number
  /** The status at a position; undefined if the list does not reach that far. */
  statusAt(index: number): 'valid' | 'withdrawn' | undefined
}

const TYPE = 'statuslist+jwt'
const SKEW_MS = 60_000
const TTL_SECONDS_DEFAULT = 60
/** Far more than any list of the service; what is behind it is not decompressed. */
const LIST_BYTES_MAX = 1_048_576

/**
 * Verifies a status list token and decompresses its list.
 *
 * @param text As received; undefined if it was too long.
 * @param expected `uri` is where it was fetched, `at` the time.
 * @throws Error that says what is wrong.
 * Source: draft-ietf-oauth-status-list "Validation Rules".
 */
export async function readStatusList(
  text: string | undefined,
  { uri, keys, at }: { uri: string; keys: IssuerKeys; at: number },
): Promise<StatusList> {
  const parsed = issuerToken.parse(text, TYPE)
  if (!parsed.ok) throw new Error(`the status list is not valid: ${parsed.reason}`)
  const fault = await issuerToken.findSignatureFault(parsed, keys)
  if (fault !== null) throw new Error(`the status list is not valid: ${fault}`)
  const { sub, iat, exp, ttl, status_list: list } = parsed.token.payload
  const expiresAt = exp === undefined ? Number.POSITIVE_INFINITY : Number(exp) * 1000
  const issuedAt = typeof iat === 'number' ? iat * 1000 : Number.NaN
  if (sub !== uri) throw new Error(`the status list at ${uri} is that of ${sub}`)
  if (!(issuedAt <= at + SKEW_MS && expiresAt > at)) throw new Error(`the status list at ${uri} is outdated`)
  if (!isJsonObject(list) || typeof list.lst !== 'string') throw new Error(`there is no list at ${uri}`)
  const bytes = await inflate(decodeBase64Url(list.lst) ?? new Uint8Array())
  const ttlSeconds = typeof ttl === 'number' && ttl > 0 ? ttl : TTL_SECONDS_DEFAULT
  return { issuedAt, expiresAt, ttlSeconds, statusAt: createReader(bytes, list.bits) }
}

/** Statuses are packed from the least significant bit of each byte; any but 0 means that the grant does not hold. */
function createReader(bytes: Uint8Array, bits: unknown): StatusList['statusAt'] {
  if (bits !== 1 && bits !== 2 && bits !== 4 && bits !== 8) throw new Error('a status has 1, 2, 4 or 8 bits')
  const inByte = 8 / bits
  return (index) => {
    const byte = bytes[Math.floor(index / inByte)]
    if (byte === undefined) return undefined
    const status = (byte >> ((index % inByte) * bits)) & ((1 << bits) - 1)
    return status === 0 ? 'valid' : 'withdrawn'
  }
}

/** Source: RFC 1950, which Web platforms call `deflate`. */
async function inflate(compressed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > LIST_BYTES_MAX) {
      await reader.cancel()
      throw new Error('the status list is too long')
    }
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
