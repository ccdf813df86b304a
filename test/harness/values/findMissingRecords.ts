/**
 * Identifiers of answers that have no record. Every record has to be whole, in its place, and the only one of its name.
 *
 * @throws Error that names the first record that is not.
 */
export function findMissingRecords(
  stored: Iterable<{ seq: number; recordId: string; entry: string }>,
  answered: readonly string[],
): string[] {
  const ids = new Set<string>()
  let at = 0
  for (const { seq, recordId, entry } of stored) {
    const committed = JSON.parse(entry) as { seq: number; recordId: string }
    if (seq !== at || committed.seq !== at || committed.recordId !== recordId || ids.has(recordId)) {
      throw new Error(`record ${recordId} at ${at} has the number ${seq} and the entry ${entry}`)
    }
    ids.add(recordId)
    at += 1
  }
  return answered.filter((id) => !ids.has(id))
}
