import { splitBatch } from './splitBatch.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

type Call = {
  input: Parameters<Fetch>[0]
  init: RequestInit
  resolve(response: Response): void
  reject(error: unknown): void
}

/** Public nodes accept a hundred or more calls at once. */
const BATCH_MAX = 100
/** Calls in flight at once if the node accepts no batches; many nodes limit the calls per second. */
const SINGLES_MAX = 4
/** Groups of calls sent one by one before another batch is tried: another node may have replaced this one. */
const GROUPS_WITHOUT_BATCHES = 1_000

/**
 * Creates a `fetch` for JSON-RPC that sends the calls of one turn of the event loop, all to the same node, as one batch
 * (JSON-RPC 2.0 §6), and gives each its own response, as if it had been sent by itself.
 *
 * If a node does not answer every call of a batch, the first call is sent by itself. If that is answered, the node accepts
 * no such batches, so the calls of this group and the following ones are sent one by one; if not, every call fails with its
 * error.
 *
 * @param timeoutMs Time for each request and its response; afterwards, its calls fail.
 */
export function createBatchedFetch(timeoutMs: number, send: Fetch = fetch): Fetch {
  let waiting: Call[] = []
  let groupsWithoutBatches = 0

  const sendWithin = (input: Call['input'], init: RequestInit): Promise<Response> =>
    send(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })

  const flush = (): void => {
    const calls = waiting
    waiting = []
    for (let start = 0; start < calls.length; start += BATCH_MAX) {
      void sendGroup(calls.slice(start, start + BATCH_MAX))
    }
  }

  const sendGroup = async (calls: readonly Call[]): Promise<void> => {
    const [first, ...others] = calls
    if (first === undefined) return
    if (others.length === 0) return await sendSingly(first)
    if (groupsWithoutBatches > 0) {
      groupsWithoutBatches -= 1
      return await sendOneByOne(calls)
    }
    try {
      const answers = await sendBatch(first, calls)
      if (answers) for (const [index, call] of calls.entries()) call.resolve(responseOf(answers[index]))
      else await sendAfterFirst(first, others)
    } catch (error) {
      for (const call of calls) call.reject(error)
    }
  }

  /** @returns The answers in the order of the calls; null if the node does not answer them all. */
  const sendBatch = async (
    { input, init }: Call,
    calls: readonly Call[],
  ): Promise<readonly string[] | null> => {
    const bodies = calls.map((call) => String(call.init.body))
    return splitBatch(bodies, await sendWithin(input, { ...init, body: `[${bodies.join(',')}]` }))
  }

  /** For calls that the node did not answer in a batch. */
  const sendAfterFirst = async (first: Call, others: readonly Call[]): Promise<void> => {
    const response = await sendWithin(first.input, first.init)
    if (response.ok) groupsWithoutBatches = GROUPS_WITHOUT_BATCHES
    else for (const call of others) call.resolve(response.clone())
    first.resolve(response)
    if (response.ok) await sendOneByOne(others)
  }

  const sendOneByOne = async (calls: readonly Call[]): Promise<void> => {
    const left = calls.values()
    const sendRest = async () => {
      for (const call of left) await sendSingly(call)
    }
    await Promise.all(Array.from({ length: SINGLES_MAX }, sendRest))
  }

  const sendSingly = ({ input, init, resolve, reject }: Call): Promise<void> =>
    sendWithin(input, init).then(resolve, reject)

  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ input, init, resolve, reject })
    })
}

function responseOf(body: string | undefined): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
