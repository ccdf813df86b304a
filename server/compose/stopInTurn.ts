/**
 * Stops groups of parts one after another; the parts of a group are independent and stop concurrently, and may need the
 * parts of later groups.
 *
 * Every part is stopped, even if others fail; above all, the database is always closed.
 *
 * @throws The error of the only part that failed, or AggregateError if several failed, after all have stopped.
 */
export async function stopInTurn(...groups: (() => Promise<void>)[][]): Promise<void> {
  const faults: unknown[] = []
  for (const stops of groups) {
    const outcomes = await Promise.allSettled(stops.map(async (stop) => stop()))
    for (const outcome of outcomes) if (outcome.status === 'rejected') faults.push(outcome.reason)
  }
  if (faults.length === 1) throw faults[0]
  if (faults.length > 1) throw new AggregateError(faults, faults.map(sentenceOf).join('; '))
}

function sentenceOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}
