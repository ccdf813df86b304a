import { cpus } from 'node:os'

/** Reads the time that all cores together were busy, and that they existed, since the machine started, in milliseconds. */
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
