import { generateKeyPairSync } from 'node:crypto'
import { createIssuerKeys } from '@svc/client/receipts/createIssuerKeys.ts'
import { verifyReceipt } from '@svc/client/receipts/verifyReceipt.ts'
import { RECEIPT_TYPE } from '@svc/core/receipt/receipt.ts'
import { createReceiptSigner } from '../server/external/keys/receiptSigner.ts'
import { RECEIPT_CLAIMS } from '../test/builders/receiptClaims.ts'
import { median } from './load/median.ts'
import type { ReportRow } from './report/benchReport.ts'

type Options = { isQuick: boolean }

/** Verifications of one round: few, because ours and the limit alternate to run under the same conditions. */
const ROUND = 100

/**
 * Measures what checking a receipt costs beside the bare signature check by Web Crypto, which is the limit, and what issuing
 * one adds to a decision.
 *
 * @throws Error if a receipt is refused.
 * Source: docs/performance.md (`verifyReceipt` ≥ 0.8 × the bare signature check).
 */
export async function measureReceipts({ isQuick }: Options): Promise<ReportRow[]> {
  const signer = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
  const receipt = signer.sign(RECEIPT_TYPE, RECEIPT_CLAIMS)
  const check = {
    issuer: RECEIPT_CLAIMS.iss,
    keys: createIssuerKeys({ issuer: RECEIPT_CLAIMS.iss, keys: [signer.publicKey] }),
    audience: RECEIPT_CLAIMS.aud,
    now: RECEIPT_CLAIMS.iat * 1_000,
  }
  const at = receipt.lastIndexOf('.')
  const signedBytes = new TextEncoder().encode(receipt.slice(0, at))
  const signature = Buffer.from(receipt.slice(at + 1), 'base64url')
  const { kty, crv, x } = signer.publicKey
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  const verifyWhole = async () => (await verifyReceipt(receipt, check)).ok
  const verifyBare = () => crypto.subtle.verify('Ed25519', key, signature, signedBytes)

  const rounds: { ours: number; limit: number }[] = []
  for (let round = 0; round <= (isQuick ? 60 : 400); round += 1) {
    const ours = await measureRate(verifyWhole)
    const limit = await measureRate(verifyBare)
    // The first round only warms both up.
    if (round > 0) rounds.push({ ours, limit })
  }
  const ours = median(rounds.map((round) => round.ours))
  const limit = median(rounds.map((round) => round.limit))
  const ratio = median(rounds.map((round) => round.ours / round.limit))
  const issued = await measureRate(async () => signer.sign(RECEIPT_TYPE, RECEIPT_CLAIMS) === receipt)
  return [
    { name: 'limit: the bare signature check (Web Crypto)', value: limit, unit: 'checks/s' },
    { name: 'verifyReceipt', value: ours, unit: 'checks/s' },
    { name: 'verifyReceipt / bare signature check', value: ratio, unit: '×', target: { atLeast: 0.8 } },
    { name: 'a receipt signed, inside its decision', value: 1_000_000 / issued, unit: 'µs' },
  ]
}

/** Calls one after another, as a gateway does for one connection. */
async function measureRate(call: () => Promise<boolean>): Promise<number> {
  const begin = performance.now()
  for (let i = 0; i < ROUND; i += 1) {
    if (!(await call())) throw new Error('a receipt was refused')
  }
  return (1_000 * ROUND) / (performance.now() - begin)
}
