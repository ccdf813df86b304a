import type { RecordTime, RecordTimes } from '../../store/audit/recordTimes.ts'

/** How many of the next records have to be old. */
const NEXT = 3
/** Clocks of processes differ by seconds; a record that is further ahead than this has a wrong time. */
const AHEAD_MS = 60_000

/**
 * Finds the first record of a range that is not older than a time; null if all are older.
 *
 * Records are placed in the log soon after they were recorded, but their time is that of the clock of their process. A
 * record that claims to be younger is older nevertheless if the next three are: its clock was ahead. Of the next ones,
 * those are left out whose time lies in the future. A clock that was ahead therefore does not keep everything after it, and
 * one that is behind, also that of every second record, does not remove what is before it.
 *
 * @param before Epoch milliseconds, and so is `now`. Source: docs/decisions/0166.
 */
export async function findFirstYoung(
  times: RecordTimes,
  { from, to }: { from: number; to: number },
  { before, now }: { before: number; now: number },
): Promise<RecordTime | null> {
  for (let seq = from; seq < to; ) {
    const young = await times.firstSince(seq, to, before)
    if (young === null) return null
    const next = await times.nextUntil(young.seq, now + AHEAD_MS, NEXT)
    const [first] = next
    const areOld = next.length === NEXT && next.every(({ recordedAt }) => recordedAt < before)
    if (first === undefined || !areOld) return young
    // Those in between lie in the future, and have the same next ones.
    seq = first.seq
  }
  return null
}

/**
 * Explains to the operator that a record has a time in the future; null if it has not.
 *
 * @param what What ends before the record.
 */
export function explainAhead({ seq, recordedAt }: RecordTime, now: number, what: string): string | null {
  if (recordedAt <= now + AHEAD_MS) return null
  return (
    `${what} before record ${seq}, whose time, ${new Date(recordedAt).toISOString()}, lies in the future: the clock of the ` +
    'process that recorded it was ahead. It counts as old as soon as the next three records are'
  )
}
