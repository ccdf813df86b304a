import type { ToolHints } from './describeCall.ts'
import { isObject, type Message } from './jsonRpc.ts'

/** Sends a request for a page of the list of tools, and returns the response; undefined if there is none. */
export type AskForTools = (params: Readonly<Record<string, unknown>>) => Promise<Message | undefined>

const FRESH_MS = 60_000
const PAUSE_MS = 2_000
const PAGES_MAX = 20
const KNOWN_MAX = 10_000
const NO_HINTS: ToolHints = {}

/**
 * Creates a cache of the server's hints about its tools, which lasts a minute. The gate asks for the list itself, so that a
 * call is judged alike whether or not a client has asked for it before.
 *
 * A server may list other tools for other callers, so the hints of a tool stay when a list does not contain it. A tool of
 * which nothing is known has no hints; the gate asks for it at most every two seconds.
 */
export function createToolHints(now: () => number = Date.now) {
  const known = new Map<string, { hints: ToolHints; readAt: number }>()
  let readAt = Number.NEGATIVE_INFINITY

  return {
    async find(name: string, ask: AskForTools): Promise<ToolHints> {
      const entry = known.get(name)
      const isFresh = now() - (entry?.readAt ?? readAt) < (entry === undefined ? PAUSE_MS : FRESH_MS)
      const read = isFresh ? undefined : await readAll(ask)
      if (read !== undefined) {
        readAt = now()
        if (known.size > KNOWN_MAX) known.clear()
        for (const [one, hints] of read) known.set(one, { hints, readAt })
      }
      return known.get(name)?.hints ?? NO_HINTS
    },
  }
}

async function readAll(ask: AskForTools): Promise<Map<string, ToolHints> | undefined> {
  const found = new Map<string, ToolHints>()
  let cursor: unknown
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await ask(cursor === undefined ? {} : { cursor })
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
