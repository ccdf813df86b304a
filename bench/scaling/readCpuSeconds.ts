import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in `/proc`, which Linux fixes for programs. Source: `proc(5)`, `time(7)`. */
const TICKS = 100

type Stat = { parent: number; own: number; endedChildren: number }

/**
 * Returns the processor time of the processes and all their threads so far, in seconds.
 *
 * @param withChildren Whether to add the children of each, running and ended: the sessions of a database server.
 */
export function readCpuSeconds(pids: readonly number[], { withChildren = false } = {}): number {
  let ticks = 0
  for (const pid of pids) {
    const { own, endedChildren } = readStat(pid) ?? { own: 0, endedChildren: 0 }
    ticks += own + (withChildren ? endedChildren : 0)
  }
  if (!withChildren) return ticks / TICKS
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null
    if (stat !== null && pids.includes(stat.parent)) ticks += stat.own
  }
  return ticks / TICKS
}

/** Returns the id of the process that started this one. */
export function readParentPid(pid: number): number {
  return readStat(pid)?.parent ?? 0
}

/** Null if the process has ended. Its name, in parentheses, may contain spaces. */
function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (nth: number) => fields[nth - 3] ?? 0
    return { parent: at(4), own: at(14) + at(15), endedChildren: at(16) + at(17) }
  } catch {
    return null
  }
}
