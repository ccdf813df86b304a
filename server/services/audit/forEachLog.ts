/**
 * Does the same for each log, at the same time, so that one that fails or is slow keeps nothing from the others.
 *
 * @returns The sum of the results.
 * @throws The first error, after all have ended.
 */
export async function forEachLog<Log>(
  logs: readonly Log[],
  work: (log: Log) => Promise<number>,
): Promise<number> {
  const results = await Promise.allSettled(logs.map(work))
  const failure = results.find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
}
