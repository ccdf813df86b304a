export type RenewEarlyBehaviourDeps = {
  /** Number of committed records, also of those without a place in the log. */
  logSize(): Promise<number>
  /** Invalidates the cached behaviour of all agents. */
  onBehaviourAged(): void
}

/**
 * Reloads the behaviour of agents once, as soon as the feed has caught up with the log as it was at start.
 *
 * A process may start with a feed that lacks much of the log, because the feed is being rebuilt or the last process was
 * killed under load. Behaviour that is read until then lacks those records too and would be continued in memory, so that
 * earlier violations would be ignored as long as the process runs.
 *
 * @returns A listener for the progress of the feed.
 */
export function renewEarlyBehaviour({ logSize, onBehaviourAged }: RenewEarlyBehaviourDeps) {
  /** The size of the log when last read. Under load the log keeps growing, so the feed never quite reaches it. */
  let goal = Number.POSITIVE_INFINITY
  let isDone = false
  return async (nextSeq: number): Promise<void> => {
    if (isDone) return
    if (nextSeq < goal) goal = await logSize()
    if (isDone || nextSeq < goal) return
    isDone = true
    onBehaviourAged()
  }
}
