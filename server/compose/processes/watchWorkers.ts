/** How often each server process is asked whether it responds. */
const ASK_MS = 5_000
/**
 * How many questions in a row a process may leave unanswered. It is given up 30 to 35 seconds after the last turn of its
 * event loop, which no work of the service occupies for that long.
 */
const UNANSWERED_MAX = 6

export type WatchWorkersDeps<Member> = {
  /** The processes that run. */
  list(): readonly Member[]
  ask(member: Member): void
  /** Called for a process that has left the most questions unanswered, and again until it has ended. */
  giveUp(member: Member, seconds: number): void
}

/**
 * Finds the server processes that respond to nothing, for instance because they were stopped by a signal or loop forever.
 *
 * It counts questions rather than time: if this process itself had no turn for a minute, it has asked nothing meanwhile.
 */
export function watchWorkers<Member extends { id: number }>(
  { list, ask, giveUp }: WatchWorkersDeps<Member>,
  askMs = ASK_MS,
) {
  let unanswered = new Map<number, number>()

  function askAll(): void {
    const counted = list().map((member) => ({ member, count: unanswered.get(member.id) ?? 0 }))
    unanswered = new Map(counted.map(({ member: { id }, count }) => [id, count + 1]))
    for (const { member, count } of counted) {
      if (count >= UNANSWERED_MAX) giveUp(member, (UNANSWERED_MAX * askMs) / 1_000)
      else ask(member)
    }
  }

  const timer = setInterval(askAll, askMs)
  timer.unref()
  return {
    /** Accepts any message of a process as its answer. */
    heard({ id }: Member): void {
      unanswered.delete(id)
    },
    /** Whether a process has a question to answer. */
    isSilent: ({ id }: Member): boolean => unanswered.has(id),
    stop(): void {
      clearInterval(timer)
    },
  }
}
