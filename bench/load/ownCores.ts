import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Who gets cores of its own: servers all but the last, what loads them the last. */
type CoreOwner = 'servers' | 'load'

const last = availableParallelism() - 1
const LISTS: Record<CoreOwner, string> = { servers: last === 1 ? '0' : `0-${last - 1}`, load: String(last) }

/** `taskset` of util-linux keeps what it starts, with all threads and children, to the cores that it names. */
const isPossible =
  last > 0 && Object.values(LISTS).every((list) => spawnSync('taskset', ['-c', list, 'true']).status === 0)

/**
 * What to put before a command so that it runs on the owner's cores; nothing where there is one core, no `taskset`, or
 * the cores are not ours to choose.
 *
 * A load generator that looks at the clock in every turn keeps a core busy: on a core that it shares with the server, the
 * figures are the scheduler's. Source: performance.md, whose figures are of a server and a load with a core each.
 */
export function ownCores(owner: CoreOwner): string[] {
  return isPossible ? ['taskset', '-c', LISTS[owner]] : []
}

/** The same as a note for the report. */
export function ownCoresNote(): string {
  if (!isPossible) return 'Servers and load share the cores.'
  return `Each server, with all its threads and its chain, is pinned to core ${LISTS.servers}, and the load generator to core ${LISTS.load}.`
}
