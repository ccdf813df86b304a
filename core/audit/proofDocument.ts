import { z } from 'zod'
import { decodeHex, encodeHex } from '../bytes.ts'
import { type AuditEntryFields, parseAuditEntry } from './auditEntry.ts'
import { hashLeaf } from './merkleHash.ts'
import { verifyInclusion } from './verifyProof.ts'

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

type Checked =
  | { readonly ok: true; readonly entry: AuditEntryFields }
  | { readonly ok: false; readonly reason: string }

/**
 * Whether a proof document holds together: all of it that can be checked without the chain.
 *
 * The leaf hash is recomputed from the bytes of the entry, the root from leaf and proof, and the entry must say
 * itself that it stands where the proof puts it. That the root is the anchored one only the chain can tell.
 *
 * Source: onchain.md "What an auditor gets"; RFC 9162 §2.1.3.2.
 */
export function checkProofDocument(document: ProofDocument): Checked {
  const bytes = Uint8Array.from(atob(document.entry), (character) => character.charCodeAt(0))
  const leaf = hashLeaf(bytes)
  if (encodeHex(leaf) !== document.leafHash) {
    return {
      ok: false,
      reason: `the entry hashes to ${encodeHex(leaf)}, the document says ${document.leafHash}`,
    }
  }

  const included = verifyInclusion({
    leafHash: leaf,
    index: document.index,
    treeSize: document.treeSize,
    proof: document.inclusionProof.map(decodeHex),
    root: decodeHex(document.root),
  })
  if (!included) {
    const place = `leaf ${document.index} of ${document.treeSize}`
    return {
      ok: false,
      reason: `the inclusion proof does not lead from ${place} to the root ${document.root}`,
    }
  }

  const text = utf8Of(bytes)
  if (text === undefined) return { ok: false, reason: 'the entry is not UTF-8' }
  const parsed = parseAuditEntry(text)
  if (parsed.ok && parsed.entry.seq !== document.index) {
    return { ok: false, reason: `entry ${parsed.entry.seq} is proved at index ${document.index}` }
  }
  return parsed
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
