import { z } from 'zod'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'expected 32 bytes as 0x and lower-case hexadecimal')
const whole = z.int().min(0)

/**
 * The answer of `GET /api/audit/records/:id/proof`: all that is needed to check one record against the chain.
 *
 * `entry` is the base64 of the exact bytes of the entry, because the proof is over those bytes and over no other
 * spelling of them. `treeSize` and `root` are those of the batch that was anchored. Unknown members are ignored:
 * additions to an answer are not breaking.
 *
 * Source: onchain.md "What an auditor gets"; api.md "Approvals, activity, audit".
 */
export const proofDocument = z.object({
  entry: z.base64(),
  leafHash: hash,
  index: whole,
  treeSize: whole,
  inclusionProof: z.array(hash).max(64),
  root: hash,
  batch: whole,
  logId: hash,
  chainId: whole,
  contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address'),
  transactionHash: hash,
  blockNumber: whole,
})

/** A proof document that has been parsed. */
export type ProofDocument = z.infer<typeof proofDocument>
