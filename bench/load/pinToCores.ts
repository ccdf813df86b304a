import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Servers get all cores but the last, the load generator gets the last. */
type CoreOwner = 'servers' | 'load'

const last = availableParallelism() - 1
const LISTS: Record<CoreOwner, string> = { servers: last === 1 ? '0' : `0-${last - 1}`, load: String(last) }

/** `taskset` of util-linux pins a command, with all its threads and children, to the given cores. */
const isPossible =
  last > 0 && Object.values(LISTS).every((list) => spawnSync('taskset', ['-c', list, 'true']).status === 0)

/**
 * Returns the prefix that makes a command run on the owner's cores. It is empty if there is only one core, no `taskset`, or
 * no permission to choose cores.
 *
 * A load generator that polls the clock keeps a core busy. If it shared the server's core, the figures would mainly show
 * the scheduler. Source: docs/performance.md.
 */
export function pinToCores(owner: CoreOwner): string[] {
  return isPossible ? ['taskset', '-c', LISTS[owner]] : []
}

/** Describes the pinning in a note for the report. */
export function describePinning(): string {
  if (!isPossible) return 'Servers and load generator share the cores.'
  return `Each server, with all its threads and its chain, is pinned to core ${LISTS.servers}, and the load generator to core ${LISTS.load}.`
}
