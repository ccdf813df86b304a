import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { Archive, ArchiveStore } from '../../store/audit/archiveStore.ts'
import type { LogPlace, LogStore } from '../../store/audit/logStore.ts'
import type { RecordTimes } from '../../store/audit/recordTimes.ts'
import type { Db } from '../../store/database/database.ts'
import { archiveLine } from './archiveLine.ts'
import { COUNTED_MEMBERS } from './countedMembers.ts'
import { explainAhead, findFirstYoung } from './findFirstYoung.ts'
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

export type ArchiveRecordsDeps = Pick<ReadNodesDeps, 'catchUp'> & {
  /** What the proofs of a log read. */
  log(number: number): NewestAnchorDeps & Pick<ReadNodesDeps, 'tree'>
  /** Counts the records of a log that the feed has. */
  treeSize(log: number): Promise<number>
  logs: Pick<LogStore, 'count' | 'placesOf' | 'seqAt'>
  archives: ArchiveStore
  times: RecordTimes
  transaction: Db['transaction']
  file: ArchiveFile
  /** Reports to the operator why the archive ends earlier than expected. */
  warn(sentence: string): void
}

const WRITTEN_AT_ONCE = 500
/** Rows per transaction: few, because servers wait for these writes. */
const CLEARED_AT_ONCE = 200

/**
 * Moves the payload of all records before a time into a file: event, inputs and salt. The entry, its index and its parties
 * stay, so that every proof, batch and count is unchanged.
 *
 * An archive covers the first records, as far as all of them are final on chain. That includes those with a later time whose
 * clock was ahead, because the next archive begins where this one ends. The file is on disk, read back and checked
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
  const anchors = await readAnchors(deps)
  const end = await findEnd(deps, anchors)
  const young = await findFirstYoung(deps.times, { from: firstSeq, to: end }, { before, now })
  const fault = young && explainAhead(young, now, 'The archive ends')
  if (fault !== null) deps.warn(`${fault}.`)
  const lastSeq = (young?.seq ?? end) - 1
  if (lastSeq < firstSeq) return null
  const { name, sha256 } = await deps.file.write(linesOf(deps, anchors, { firstSeq, lastSeq }))
  await checkFile(deps, anchors, { firstSeq, lastSeq })
  const archive: Archive = { firstSeq, lastSeq, file: name, sha256, clearedTo: firstSeq }
  await deps.transaction((trx) => deps.archives.add(trx, archive, now))
  await clear(deps, archive)
  return archive
}

type Range = { firstSeq: number; lastSeq: number }
/** The newest anchor of each log, by its number; null for a log without one. */
type Anchors = readonly (Anchor | null)[]

/** @throws Error if the feed is being rebuilt, and lacks records that are final already: their places are not known then. */
async function readAnchors(deps: ArchiveRecordsDeps): Promise<Anchors> {
  const numbers = Array.from({ length: await deps.logs.count() }, (_, number) => number)
  const anchors = await Promise.all(numbers.map((number) => findNewestAnchor(deps.log(number))))
  for (const [number, anchor] of anchors.entries()) {
    const [size, anchored] = [await deps.treeSize(number), anchor?.batch.newSize ?? 0]
    if (size < anchored) {
      throw new Error(
        `The feed has ${size} of the ${anchored} final records of log ${number}: let the service catch up, and run this again.`,
      )
    }
  }
  return anchors
}

/** Finds the first record that is not final on chain or, if all are, the next one. */
async function findEnd({ logs }: ArchiveRecordsDeps, anchors: Anchors): Promise<number> {
  const sizes = anchors.map((anchor) => anchor?.batch.newSize ?? 0)
  const next = await Promise.all(sizes.map((index, log) => logs.seqAt({ log, index })))
  return Math.min(
    sizes.reduce((sum, size) => sum + size, 0),
    ...next.filter((seq) => seq !== null),
  )
}

async function* linesOf(deps: ArchiveRecordsDeps, anchors: Anchors, { firstSeq, lastSeq }: Range) {
  for (let from = firstSeq; from <= lastSeq; ) {
    const records = await deps.archives.records(from, lastSeq, WRITTEN_AT_ONCE)
    if (records[0]?.seq !== from) throw new Error(`The log lacks record ${from}.`)
    const places = await deps.logs.placesOf(records.map(({ seq }) => seq))
    const proofs = new Map<number, ProofDocument>()
    for (const [log, own] of Map.groupBy(records, ({ seq }) => places.get(seq)?.log ?? 0)) {
      const anchor = anchors[log]
      if (!anchor) throw new Error(`Log ${log} has no anchor.`)
      const placed = own.map(({ seq, entry }) => ({ entry, index: places.get(seq)?.index ?? seq }))
      const documents = await proofsOf({ ...deps.log(log), catchUp: deps.catchUp }, anchor, placed)
      for (const [nth, proof] of documents.entries()) proofs.set(own[nth]?.seq ?? -1, proof)
    }
    for (const record of records) {
      const proof = proofs.get(record.seq)
      if (proof !== undefined) yield archiveLine.write(record, proof)
    }
    from += records.length
  }
}

async function checkFile(deps: ArchiveRecordsDeps, anchors: Anchors, { firstSeq, lastSeq }: Range) {
  let seq = firstSeq
  let places = new Map<number, LogPlace>()
  for await (const line of deps.file.lines()) {
    if (!places.has(seq)) {
      places = await deps.logs.placesOf(Array.from({ length: WRITTEN_AT_ONCE }, (_, nth) => seq + nth))
    }
    const { log, index } = places.get(seq) ?? { log: 0, index: seq }
    const fault = archiveLine.fault(line, { index, root: anchors[log]?.batch.root ?? '' })
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
