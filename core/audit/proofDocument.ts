import { z } from 'zod'
import { decodeHex, encodeHex } from '../bytes.ts'
import { type AuditEntryFields, parseAuditEntry } from './auditEntry.ts'
import { hashLeaf } from './merkleHash.ts'
import { verifyInclusion } from './verifyProof.ts'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'expected 32 bytes as 0x and lower-case hexadecimal')
const whole = z.int().min(0)

/**
 * The response of `GET /api/audit/records/:id/proof`: everything needed to check a record against the chain.
 *
 * `entry` is the base64 of the exact bytes of the entry, because the proof covers these bytes and no other spelling.
 * `treeSize` and `root` are those of the anchored batch. Unknown members are ignored, because adding one to a response is
 * not a breaking change.
 *
 * Source: docs/auditing.md.
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

/** A parsed proof document. */
export type ProofDocument = z.infer<typeof proofDocument>

const size = z.int().min(1)

/**
 * The response of `GET /api/audit/consistency`: proof that the log of `toSize` entries extends the log of `fromSize`.
 *
 * The roots are the log's claim; only the chain shows that they were anchored. Unknown members are ignored, because adding
 * one to a response is not a breaking change.
 *
 * Source: RFC 9162 §2.1.4; docs/auditing.md.
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

/** A parsed consistency document. */
export type ConsistencyDocument = z.infer<typeof consistencyDocument>

type Checked =
  | { readonly ok: true; readonly entry: AuditEntryFields }
  | { readonly ok: false; readonly reason: string }

/**
 * Checks everything in a proof document that can be checked without the chain.
 *
 * The leaf hash is recomputed from the bytes of the entry and the root from leaf and proof. The proof shows the index of the
 * entry in the log; an entry of version 1 also names it, and must name the same. Only the chain shows that the root was
 * anchored.
 *
 * Source: docs/auditing.md; RFC 9162 §2.1.3.2.
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
    const leafName = `leaf ${document.index} of ${document.treeSize}`
    return {
      ok: false,
      reason: `the inclusion proof does not lead from ${leafName} to the root ${document.root}`,
    }
  }

  const text = utf8Of(bytes)
  if (text === undefined) return { ok: false, reason: 'the entry is not UTF-8' }
  const parsed = parseAuditEntry(text)
  const named = parsed.ok ? parsed.entry.seq : undefined
  if (named !== undefined && named !== document.index) {
    return { ok: false, reason: `entry ${named} is proved at index ${document.index}` }
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
