import { cpus } from 'node:os'

/** Reads the busy time and the total time of all cores together since the machine started, in milliseconds. */
export function readCoreTimes(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const worked = times.user + times.nice + times.sys + times.irq
    busy += worked
    all += worked + times.idle
  }
  return { busy, all }
}
