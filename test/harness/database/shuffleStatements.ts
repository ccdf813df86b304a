import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

type Sent = (error: Error | null, result: unknown) => void
type Held = { send(): Promise<void> }

/** A statement without a response by then waits for a lock that another one holds, and the next one is sent. */
const BLOCKED_MS = 10
/** How long statements gather before the next is chosen. */
const GATHER_MS = 1

/**
 * Holds every statement of the use cases of this process, on all their connections, and sends them one after the other in an
 * order that the seed chooses, until the work is done. Concurrent requests, also at several services of this
 * process, can therefore interleave at every statement.
 *
 * How long a statement takes is not controlled, so a seed repeats an order approximately.
 *
 * @returns The result of the work, and the number of times that more than one statement waited.
 */
export async function shuffleStatements<Result>(
  seed: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; choices: number }> {
  const random = createRandom(seed)
  const { prototype } = pg.Client
  const { query } = prototype
  const held: Held[] = []
  let isOver = false
  let choices = 0
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const done = given.at(-1)
    const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters
    const pass = (...args: unknown[]) => Reflect.apply(query, this, args)
    if (isOver || application_name !== 'svc-use-cases' || typeof done !== 'function') return pass(...given)
    held.push({
      send: () =>
        new Promise<void>((resolve) => {
          const answered: Sent = (error, result) => {
            resolve()
            done(error, result)
          }
          pass(...given.slice(0, -1), answered)
        }),
    })
  } as typeof query
  const sendInTurn = async () => {
    while (!isOver) {
      await pause(GATHER_MS)
      if (held.length > 1) choices += 1
      const [next] = held.splice(Math.floor(random() * held.length), 1)
      if (next) await Promise.race([next.send(), pause(BLOCKED_MS)])
    }
  }
  const sending = sendInTurn()
  try {
    return { result: await work(), choices }
  } finally {
    isOver = true
    await sending
    prototype.query = query
    for (const { send } of held) void send()
  }
}

/** Returns numbers from 0 to below 1. Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). */
function createRandom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
