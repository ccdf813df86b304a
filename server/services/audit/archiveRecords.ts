import type { Archive, ArchiveStore } from '../../store/audit/archiveStore.ts'
import type { Db } from '../../store/database/database.ts'
import { archiveLine } from './archiveLine.ts'
import { COUNTED_MEMBERS } from './countedMembers.ts'
import { proofsOf } from './proofsOf.ts'
import type { ReadNodesDeps } from './readNodes.ts'
import { type Anchor, findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

/** A file that exists completely or not at all. */
export type ArchiveFile = {
  /** Writes the lines and resolves when they are on disk. @throws Error if the file exists. */
  write(lines: AsyncIterable<string>): Promise<{ name: string; sha256: string }>
  /** Reads the lines back. */
  lines(): AsyncIterable<string>
}

export type ArchiveRecordsDeps = NewestAnchorDeps &
  ReadNodesDeps & { archives: ArchiveStore; transaction: Db['transaction']; file: ArchiveFile }

const WRITTEN_AT_ONCE = 500
/** Rows per transaction: few, because servers wait for these writes. */
const CLEARED_AT_ONCE = 200

/**
 * Moves the payload of all records before a time into a file: event, inputs and salt. The entry, its index and its parties
 * stay, so that every proof, batch and count is unchanged.
 *
 * An archive covers the beginning of the log, as far as it is final on chain. The file is on disk, read back and checked
 * line by line before any row changes; the next call completes what a kill interrupted.
 *
 * @returns The archive; null if nothing is old enough and final.
 * @throws Error with a message for the operator. Source: docs/decisions/0042.
 */
export async function archiveRecords(
  deps: ArchiveRecordsDeps,
  { before, now }: { before: number; now: number },
): Promise<Archive | null> {
  const last = await deps.archives.last()
  if (last !== null) await clear(deps, last)
  const firstSeq = last === null ? 0 : last.lastSeq + 1
  const anchor = await findNewestAnchor(deps)
  if (anchor === null) return null
  const { newSize } = anchor.batch
  const lastSeq = ((await deps.archives.firstSince(firstSeq, newSize, before)) ?? newSize) - 1
  if (lastSeq < firstSeq) return null
  const { name, sha256 } = await deps.file.write(linesOf(deps, anchor, { firstSeq, lastSeq }))
  await checkFile(deps, anchor, { firstSeq, lastSeq })
  const archive: Archive = { firstSeq, lastSeq, file: name, sha256, clearedTo: firstSeq }
  await deps.transaction((trx) => deps.archives.add(trx, archive, now))
  await clear(deps, archive)
  return archive
}

type Range = { firstSeq: number; lastSeq: number }

async function* linesOf(deps: ArchiveRecordsDeps, anchor: Anchor, { firstSeq, lastSeq }: Range) {
  for (let from = firstSeq; from <= lastSeq; ) {
    const records = await deps.archives.records(from, lastSeq, WRITTEN_AT_ONCE)
    if (records[0]?.seq !== from) throw new Error(`The log lacks record ${from}.`)
    const proofs = await proofsOf(deps, anchor, records)
    for (const [i, record] of records.entries()) {
      const proof = proofs[i]
      if (proof !== undefined) yield archiveLine.write(record, proof)
    }
    from += records.length
  }
}

async function checkFile(deps: ArchiveRecordsDeps, { batch }: Anchor, { firstSeq, lastSeq }: Range) {
  let seq = firstSeq
  for await (const line of deps.file.lines()) {
    const fault = archiveLine.fault(line, { seq, root: batch.root })
    if (fault !== null) throw new Error(`Line ${seq - firstSeq + 1} of the archive is wrong: ${fault}.`)
    seq += 1
  }
  if (seq !== lastSeq + 1) throw new Error(`The archive ends before record ${seq}.`)
}

async function clear(deps: ArchiveRecordsDeps, archive: Archive): Promise<void> {
  for (let from = archive.clearedTo; from <= archive.lastSeq; from += CLEARED_AT_ONCE) {
    const records = await deps.archives.records(from, archive.lastSeq, CLEARED_AT_ONCE)
    const cleared = records.map(({ seq, eventData }) => ({ seq, eventData: pruneEventData(eventData) }))
    const clearedTo = Math.min(from + CLEARED_AT_ONCE, archive.lastSeq + 1)
    await deps.transaction((trx) => deps.archives.clear(trx, archive, { records: cleared, clearedTo }))
  }
}

/**
 * Reduces the event of an archived record to what a rebuilt feed needs for the same counts, and a mark that the rest is
 * archived.
 *
 * @param eventData JSON text.
 */
export function pruneEventData(eventData: string): string {
  const data = JSON.parse(eventData) as Record<string, unknown>
  const kept = Object.entries(data).filter(([member]) => COUNTED_MEMBERS.includes(member))
  return JSON.stringify({ ...Object.fromEntries(kept), archived: true })
}
