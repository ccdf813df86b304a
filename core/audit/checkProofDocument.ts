import type { AuditEntryFields } from './auditEntry.ts'
import { bytesOfHex } from './bytesOfHex.ts'
import { hexOfBytes } from './hexOfBytes.ts'
import { leafHash } from './leafHash.ts'
import { parseAuditEntry } from './parseAuditEntry.ts'
import type { ProofDocument } from './proofDocument.ts'
import { verifyInclusion } from './verifyInclusion.ts'

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
  const leaf = leafHash(bytes)
  if (hexOfBytes(leaf) !== document.leafHash) {
    return {
      ok: false,
      reason: `the entry hashes to ${hexOfBytes(leaf)}, the document says ${document.leafHash}`,
    }
  }

  const included = verifyInclusion({
    leafHash: leaf,
    index: document.index,
    treeSize: document.treeSize,
    proof: document.inclusionProof.map(bytesOfHex),
    root: bytesOfHex(document.root),
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
