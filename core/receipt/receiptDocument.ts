import { z } from 'zod'
import { proofDocument } from '../audit/proofDocument.ts'

/** The key with which the receipt was signed, as the issuer publishes it; absent if the issuer has lost it. */
const issuerKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
})

/**
 * The response of `GET /api/audit/records/:id/receipt`: a verdict, and everything needed to prove to anybody with the chain
 * only what was decided, when, and that it is in the log.
 *
 * `entry` commits to `receipt` by its hash (`receiptHash`).
 *
 * Source: docs/receipts.md.
 */
export const receiptDocument = proofDocument.extend({ receipt: z.string(), issuerKey: issuerKey.optional() })

/** A parsed receipt document. */
export type ReceiptDocument = z.output<typeof receiptDocument>
