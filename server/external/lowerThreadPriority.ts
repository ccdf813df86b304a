import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets the calling thread wait when the cores are wanted elsewhere; it does nothing where threads have no number of
 * their own (anywhere but Linux).
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without it the thread only competes for the cores, as any other.
  }
}
