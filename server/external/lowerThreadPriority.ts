import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread, so that it yields when the cores are busy. Does nothing except on Linux, the
 * only platform that identifies single threads.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The thread then competes for the cores like any other.
  }
}
