import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves } from '@svc/core/audit/merkleTree.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { StoredLogStore } from '../../store/audit/storedLogStore.ts'

const ENTRIES_AT_ONCE = 5_000
const BATCHES_AT_ONCE = 500

/** A summary of a stored log, or its first fault. */
export type StoredLogCheck =
  | { ok: true; records: number; batches: number; anchoredRecords: number }
  | { ok: false; fault: string }

/**
 * Checks that a stored log is the one that was sealed: every record at its index, and after each batch the root that was
 * anchored.
 *
 * Everything is recomputed from the entries, without the derived tree. Records after the last batch are counted but cannot
 * be compared. Memory is constant; the time is that of reading and of two hashes per record. Source: RFC 9162 §2.1.1;
 * docs/reliability.md row 25.
 */
export async function checkStoredLog(log: StoredLogStore): Promise<StoredLogCheck> {
  let tree: { peaks: Uint8Array[]; size: number } = { peaks: [], size: 0 }
  const heads = sealedHeads(log)
  let head = (await heads.next()).value
  let batches = 0
  let anchoredRecords = 0
  for (;;) {
    const page = await log.entries(tree.size, ENTRIES_AT_ONCE)
    const at = page.findIndex(({ seq }, i) => seq !== tree.size + i)
    if (at >= 0) return fault(`record ${tree.size + at} is missing, record ${page[at]?.seq} comes next`)
    let leaves = page.map(({ entry }) => hashLeaf(entry))
    while (head && head.newSize <= tree.size + leaves.length) {
      const part = head.newSize - tree.size
      tree = appendLeaves(tree.peaks, tree.size, leaves.slice(0, part))
      leaves = leaves.slice(part)
      const root = encodeHex(rootOfPeaks(tree.peaks))
      if (root !== head.root.toLowerCase()) {
        return fault(`batch ${head.number} was sealed with root ${head.root}, and its records have ${root}`)
      }
      batches = head.number
      if (head.status !== 'sealed') anchoredRecords = head.newSize
      head = (await heads.next()).value
    }
    tree = appendLeaves(tree.peaks, tree.size, leaves)
    if (page.length < ENTRIES_AT_ONCE) break
  }
  if (head) return fault(`batch ${head.number} has ${head.newSize} records, and only ${tree.size} are there`)
  return { ok: true, records: tree.size, batches, anchoredRecords }
}

async function* sealedHeads(log: StoredLogStore) {
  let after = 0
  for (;;) {
    const page = await log.heads(after, BATCHES_AT_ONCE)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.number
  }
}

function fault(text: string): StoredLogCheck {
  return { ok: false, fault: text }
}
