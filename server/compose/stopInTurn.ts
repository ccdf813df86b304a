/**
 * Stops parts that do not need one another at the same time, and what they do need in the groups after them.
 *
 * Each gets its stop, whatever becomes of the others: the database above all is closed in any case.
 *
 * @throws What the only part that failed threw; AggregateError when there were several. Not before all have ended.
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
