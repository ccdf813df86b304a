import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves } from '@svc/core/audit/merkleTree.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { StoredEntry, StoredHead, StoredLogStore } from '../../store/audit/storedLogStore.ts'
import { logOf } from '../projection/growTrees.ts'

const ENTRIES_AT_ONCE = 5_000
const BATCHES_AT_ONCE = 500

/** A summary of the stored logs, or their first fault. */
export type StoredLogCheck =
  | { ok: true; records: number; batches: number; anchoredRecords: number }
  | { ok: false; fault: string }

/**
 * Checks that the stored logs are those that were sealed: every record at its index, and after each batch the root that was
 * anchored.
 *
 * Everything is recomputed from the entries, without the derived trees. Records after the last batch are counted but cannot
 * be compared. Memory is constant; the time is that of reading and of two hashes per record. Queries run one at a time,
 * because those of a backup share the connection of its snapshot. Source: RFC 9162 §2.1.1; docs/reliability.md row 25.
 */
export async function checkStoredLog(stored: StoredLogStore): Promise<StoredLogCheck> {
  const counts = await stored.counts()
  const logs: StoredLog[] = []
  const logCount = Math.max(1, ...counts.map(({ logs }) => logs))
  for (let log = 0; log < logCount; log += 1) logs.push(await openLog(stored, log))
  let records = 0
  for (;;) {
    const page = await stored.entries(records, ENTRIES_AT_ONCE)
    const at = page.findIndex(({ seq }, i) => seq !== records + i)
    if (at >= 0) return fault(`record ${records + at} is missing, record ${page[at]?.seq} comes next`)
    for (const [log, own] of Map.groupBy(page, (record) => logOf(record, counts))) {
      const found = await logs[log]?.append(own)
      if (found) return fault(found)
    }
    records += page.length
    if (page.length < ENTRIES_AT_ONCE) break
  }
  const missing = logs.map((log) => log.findMissing()).find((found) => found !== null)
  if (missing) return fault(missing)
  const sum = (part: (log: StoredLog) => number) => logs.reduce((total, log) => total + part(log), 0)
  return {
    ok: true,
    records,
    batches: sum(({ state }) => state.batches),
    anchoredRecords: sum(({ state }) => state.anchored),
  }
}

type StoredLog = {
  state: { batches: number; anchored: number }
  /** Adds the next records of the log. @returns What does not agree with its batches; null if all does. */
  append(records: readonly StoredEntry[]): Promise<string | null>
  /** Says which batch has more records than there are; null if none has. */
  findMissing(): string | null
}

async function openLog(stored: StoredLogStore, log: number): Promise<StoredLog> {
  const heads = sealedHeads(stored, log)
  let head = (await heads.next()).value
  let tree: { peaks: Uint8Array[]; size: number } = { peaks: [], size: 0 }
  const state = { batches: 0, anchored: 0 }
  const nameOf = ({ number }: StoredHead) => (log === 0 ? `batch ${number}` : `batch ${number} of log ${log}`)
  return {
    state,
    async append(records) {
      let leaves = records.map(({ entry }) => hashLeaf(entry))
      while (head && head.newSize <= tree.size + leaves.length) {
        const part = head.newSize - tree.size
        tree = appendLeaves(tree.peaks, tree.size, leaves.slice(0, part))
        leaves = leaves.slice(part)
        const root = encodeHex(rootOfPeaks(tree.peaks))
        if (root !== head.root.toLowerCase())
          return `${nameOf(head)} was sealed with root ${head.root}, and its records have ${root}`
        state.batches = head.number
        if (head.status !== 'sealed') state.anchored = head.newSize
        head = (await heads.next()).value
      }
      tree = appendLeaves(tree.peaks, tree.size, leaves)
      return null
    },
    findMissing: () =>
      head ? `${nameOf(head)} has ${head.newSize} records, and only ${tree.size} are there` : null,
  }
}

async function* sealedHeads(stored: StoredLogStore, log: number) {
  let after = 0
  for (;;) {
    const page = await stored.heads(log, after, BATCHES_AT_ONCE)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.number
  }
}

function fault(text: string): StoredLogCheck {
  return { ok: false, fault: text }
}
