/**
 * Finds the responses that have no stored record. Every stored record has to be intact, at its position, and unique.
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
    const committed = JSON.parse(entry) as { recordId: string }
    if (seq !== at || committed.recordId !== recordId || ids.has(recordId)) {
      throw new Error(`record ${recordId} at position ${at} has sequence number ${seq} and entry ${entry}`)
    }
    ids.add(recordId)
    at += 1
  }
  return answered.filter((id) => !ids.has(id))
}
