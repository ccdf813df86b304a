/** A platform that cancels a request's work when the request ends can leave a fetch pending forever. */
const PENDING_MAX_MS = 30_000

/**
 * Returns a function that runs the work, or joins the run in progress. A run that has been pending for half a minute counts
 * as lost, and another one starts.
 *
 * @param work Its argument tells whether this is still the newest run; the result of an older one is outdated.
 * @param now Epoch milliseconds.
 */
export function createSharedRun<Result>(
  work: (isNewest: () => boolean) => Promise<Result>,
  now: () => number = Date.now,
): () => Promise<Result> {
  let pending: { result: Promise<Result>; since: number } | undefined
  let newest = 0
  return () => {
    if (pending !== undefined && now() - pending.since < PENDING_MAX_MS) return pending.result
    newest += 1
    const own = newest
    const run = { result: work(() => own === newest), since: now() }
    const clearPending = () => {
      if (pending === run) pending = undefined
    }
    run.result.then(clearPending, clearPending)
    pending = run
    return run.result
  }
}
