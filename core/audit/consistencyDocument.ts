import { z } from 'zod'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'expected 32 bytes as 0x and lower-case hexadecimal')
const size = z.int().min(1)

/**
 * The answer of `GET /api/audit/consistency`: that the log of `toSize` entries begins with that of `fromSize`.
 *
 * The roots are what the log says they were; that they were anchored only the chain can tell. Unknown members are
 * ignored: additions to an answer are not breaking.
 *
 * Source: RFC 9162 §2.1.4; onchain.md "The audit log".
 */
export const consistencyDocument = z.object({
  logId: hash,
  chainId: z.int().min(0),
  contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address'),
  fromSize: size,
  fromRoot: hash,
  toSize: size,
  toRoot: hash,
  consistencyProof: z.array(hash).max(64),
})

/** A consistency document that has been parsed. */
export type ConsistencyDocument = z.infer<typeof consistencyDocument>
