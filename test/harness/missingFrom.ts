/**
 * Identifiers of answers that have no record. Every record has to be whole, in its place, and the only one of its name.
 *
 * @throws Error that names the first record that is not.
 */
export function missingFrom(
  stored: readonly { seq: number; recordId: string; entry: string }[],
  answered: readonly string[],
): string[] {
  const ids = new Set<string>()
  for (const [at, { seq, recordId, entry }] of stored.entries()) {
    const committed = JSON.parse(entry) as { seq: number; recordId: string }
    if (seq !== at || committed.seq !== at || committed.recordId !== recordId || ids.has(recordId)) {
      throw new Error(`record ${recordId} at ${at} has the number ${seq} and the entry ${entry}`)
    }
    ids.add(recordId)
  }
  return answered.filter((id) => !ids.has(id))
}
