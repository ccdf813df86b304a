import { decodeBase64Url, encodeHex } from '../bytes.ts'
import type { AgentKey } from './computeKeyThumbprint.ts'

/** The field and the constant of the curve y² = x³ − 3x + b. Source: NIST SP 800-186 §3.2.1.3. */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/**
 * The encodings of Ed25519 points of small order, without the sign bit. Many verifiers, though not all, accept
 * signatures of anyone for such a key. Source: Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs" (2020), table 1.
 */
const SMALL_ORDER_POINTS: ReadonlySet<string> = new Set([
  `0x${'00'.repeat(32)}`,
  `0x01${'00'.repeat(31)}`,
  '0x26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '0xc7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `0xec${'ff'.repeat(30)}7f`,
  `0xed${'ff'.repeat(30)}7f`,
  `0xee${'ff'.repeat(30)}7f`,
])

/**
 * Whether the coordinates of a key are a point that nobody can sign for without its private half.
 *
 * A point of P-256 has to be on the curve; a point of Ed25519 must not have a small order. Whether other bytes are a point
 * of Ed25519 is not checked, because no signature verifies with bytes that are not.
 */
export function isSafeKeyPoint({ kty, x, y }: AgentKey): boolean {
  const [first, second] = [decodeBase64Url(x), decodeBase64Url(y ?? '')]
  if (first?.length !== 32) return false
  if (kty === 'OKP') return !hasSmallOrder(first)
  return second?.length === 32 && isOnP256(readInteger(first), readInteger(second))
}

function isOnP256(x: bigint, y: bigint): boolean {
  return x < P && y < P && (y * y - (x * x * x - 3n * x + B)) % P === 0n
}

function hasSmallOrder(point: Uint8Array): boolean {
  const withoutSign = Uint8Array.from(point)
  withoutSign[31] = (withoutSign[31] ?? 0) & 0x7f
  return SMALL_ORDER_POINTS.has(encodeHex(withoutSign))
}

function readInteger(bytes: Uint8Array): bigint {
  return BigInt(encodeHex(bytes))
}
