import type { LogState } from './monitorState.ts'

/** Where a record is: the id of the log, and its number there. */
export type Place = { log: string; number: number }

/** Finds where an export showed a record before; null if none did. */
export function findPlace(logs: Readonly<Record<string, LogState>>, recordId: string): Place | null {
  for (const [log, { records }] of Object.entries(logs)) {
    const number = Object.hasOwn(records, recordId) ? records[recordId] : undefined
    if (number !== undefined) return { log, number }
  }
  return null
}

/** Whether two places are one. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.log === other.log && one.number === other.number
}

/** Describes two places of one record. */
export function describePlaces(recordId: string, one: Place, other: Place): string {
  const where = ({ log, number }: Place) =>
    one.log === other.log ? `${number}` : `${number} of the log ${log}`
  return `record ${recordId} is at two places: it has the number ${where(one)}, and the number ${where(other)}`
}
