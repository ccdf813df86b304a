import type { ToolHints } from './describeCall.ts'
import { isObject, type Message } from './jsonRpc.ts'

/** How the gate asks for the list of tools on behalf of a call. */
export type AskForTools = {
  /** Differs between callers for whom the server's response may differ. */
  caller: string
  /** Sends a request for a page, and returns the response; undefined if there is none before the signal. */
  readPage(params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Message | undefined>
}

const FRESH_MS = 60_000
const PAUSE_MS = 2_000
const PAGES_MAX = 20
const KNOWN_MAX = 10_000
const CALLERS_MAX = 1_000
const NO_HINTS: ToolHints = {}

/**
 * Creates a cache of the server's hints about its tools, which lasts a minute. The gate asks for the list itself, so that a
 * call is judged alike whether or not a client has asked for it before.
 *
 * A server may list other tools for other callers, so the hints of a tool stay when a list does not contain it. A tool of
 * which nothing is known has no hints.
 *
 * Calls are not verified yet when the gate asks, so anyone can make it ask. Whatever comes of it, the server is asked for
 * one list at a time on behalf of a caller, and again two seconds after it at the earliest. Callers do not share this limit:
 * one whom the server refuses would keep the hints from all others, whose calls would then count as destructive.
 *
 * @param timeoutMs Of all pages of a list together.
 * @param now Epoch milliseconds.
 */
export function createToolHints(timeoutMs: number, now: () => number = Date.now) {
  const known = new Map<string, { hints: ToolHints; readAt: number }>()
  /** The reading of each caller that runs, or when it ended; the oldest is dropped when there are too many. */
  const readings = new Map<string, Promise<void> | number>()

  async function read(ask: AskForTools): Promise<void> {
    const tools = await readAll(ask, AbortSignal.timeout(timeoutMs)).catch(() => undefined)
    const readAt = now()
    readings.set(ask.caller, readAt)
    if (tools !== undefined && known.size > KNOWN_MAX) known.clear()
    for (const [one, hints] of tools ?? []) known.set(one, { hints, readAt })
  }

  /** Returns the reading that runs for a caller, after starting one if it is time; undefined if it is not. */
  function startReading(ask: AskForTools): Promise<void> | undefined {
    const last = readings.get(ask.caller)
    if (last instanceof Promise) return last
    if (last !== undefined && now() - last < PAUSE_MS) return undefined
    const reading = read(ask)
    readings.delete(ask.caller)
    readings.set(ask.caller, reading)
    const [oldest] = readings.keys()
    if (readings.size > CALLERS_MAX && oldest !== undefined) readings.delete(oldest)
    return reading
  }

  return {
    /** @param signal Ends the wait of this call, and not the question, for whose answer others may wait. */
    async find(name: string, ask: AskForTools, signal: AbortSignal): Promise<ToolHints> {
      const entry = known.get(name)
      if (entry === undefined || now() - entry.readAt >= FRESH_MS) {
        const reading = startReading(ask)
        if (reading !== undefined) await waitFor(reading, signal)
      }
      return known.get(name)?.hints ?? NO_HINTS
    },
  }
}

function waitFor(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    void work.then(end)
  })
}

async function readAll(
  { readPage }: AskForTools,
  signal: AbortSignal,
): Promise<Map<string, ToolHints> | undefined> {
  const found = new Map<string, ToolHints>()
  let cursor: unknown
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await readPage(cursor === undefined ? {} : { cursor }, signal)
    if (!isObject(answer?.result) || !Array.isArray(answer.result.tools)) return undefined
    for (const tool of answer.result.tools) {
      if (isObject(tool) && typeof tool.name === 'string') found.set(tool.name, hintsOf(tool))
    }
    cursor = answer.result.nextCursor
    if (typeof cursor !== 'string') return found
  }
  return found
}

/** Reads the hints of a tool from the server's list. */
export function hintsOf({ annotations }: Readonly<Record<string, unknown>>): ToolHints {
  return isObject(annotations) ? annotations : NO_HINTS
}
