import { decodeBase64Url } from '../bytes.ts'
import { isDeeperThan, isJsonObject, parseJsonBase64Url } from '../json.ts'

/** Signature algorithms of credentials. There is no `none` and no HMAC: a public key must never pass as a secret. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'ES256K', 'ES384', 'RS256', 'PS256'] as const

export type JwsAlgorithm = (typeof ALGORITHMS)[number]

/** A compact JWS, parsed but not verified. */
export type CompactJws = {
  algorithm: JwsAlgorithm
  header: Readonly<Record<string, unknown>>
  payload: Record<string, unknown>
  /** The text that is signed. */
  signingInput: string
  signature: Uint8Array<ArrayBuffer>
}

const CHARACTERS_MAX = 32_768
const DEPTH_MAX = 16

/**
 * Parses a compact JWS whose payload is a JSON object, without verifying it; null for anything else.
 *
 * Each token has only one accepted spelling. A header with critical extensions (`crit`) or an unencoded payload (`b64`) is
 * refused, and keys in the header or referenced by it are ignored. Source: RFC 7515 §3.1, §4.1.11; RFC 8725 §3.1.
 */
export function parseCompactJws(text: string): CompactJws | null {
  if (text.length > CHARACTERS_MAX) return null
  const [first = '', second = '', third = '', ...more] = text.split('.')
  if (more.length > 0 || third === '') return null
  const header = readHeader(first)
  const payload = objectOf(second)
  const signature = decodeBase64Url(third)
  if (header === null || payload === null || signature === null) return null
  const algorithm = ALGORITHMS.find((name) => name === header.alg)
  if (algorithm === undefined || 'crit' in header || 'b64' in header) return null
  const signingInput = text.slice(0, first.length + 1 + second.length)
  return { algorithm, header, payload, signingInput, signature }
}

type Members = Readonly<Record<string, unknown>>

/** The last header: that of an issuer's tokens is always the same, and parsing it takes a third of the time. */
let latest: { text: string; header: Members | null } = { text: '', header: null }

function readHeader(text: string): Members | null {
  if (latest.text !== text) latest = { text, header: objectOf(text) }
  return latest.header
}

function objectOf(part: string): Record<string, unknown> | null {
  const value = parseJsonBase64Url(part)
  return isJsonObject(value) && !isDeeperThan(value, DEPTH_MAX) ? value : null
}
