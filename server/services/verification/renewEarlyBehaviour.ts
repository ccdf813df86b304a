export type RenewEarlyBehaviourDeps = {
  /** How many records the log holds. */
  logSize(): Promise<number>
  /** What is held of the behaviour of agents is to be read anew. */
  onBehaviourAged(): void
}

/**
 * Has the behaviour of agents read anew, once, when the feed has what was in the log before.
 *
 * A process may start with a feed that lacks much of the log, because it is built anew or the last process was killed under load. What
 * is read of an agent until then lacks that, too, and would be gone on from in memory: violations of before would be forgotten for as
 * long as the process runs.
 *
 * @returns What is to hear how far the feed is, each time that changes.
 */
export function renewEarlyBehaviour({ logSize, onBehaviourAged }: RenewEarlyBehaviourDeps) {
  /** The size of the log at the last look. It grows meanwhile, and is never quite reached under load. */
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
