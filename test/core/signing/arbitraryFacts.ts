import type { IntentClaims } from '@svc/core/signing/intentClaims.ts'
import fc from 'fast-check'

/** The claims that every intent proof has. */
export const INTENT = {
  iss: `SVC-${'A'.repeat(22)}`,
  aud: 'https://shop.example',
  iat: 1_800_000_000,
  exp: 1_800_000_060,
  jti: 'n'.repeat(22),
} as const

const name = fc.constantFrom('shopping', 'Travel', 'a', 'B_c-9')

const amount = fc.oneof(
  fc.double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0),
  fc.integer({ min: 0, max: 999_999 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2)),
)

/** Valid facts of every kind, each of which may be missing. The purpose and the action never name two categories. */
export const arbitraryFacts: fc.Arbitrary<Partial<IntentClaims>> = fc.record(
  {
    purpose: fc.oneof(
      name,
      fc.tuple(name, fc.constantFrom(':', '.'), name).map((parts) => parts.join('')),
    ),
    action: name,
    resource: fc.constantFrom('/orders/1', '/orders/%C3%A9', '/a%2Fb', '/%2e%2e/x', '/', 'urn:x'),
    amount,
    currency: fc.constantFrom('EUR', 'usd', 'Usdc'),
    sessionDuration: fc.integer({ min: 1, max: 31_536_000 }),
    attemptId: fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase())),
    bodyHash: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((digest) => `sha-256=:${Buffer.from(digest).toString('base64')}:`),
  },
  { requiredKeys: [] },
)
