import { createMailFiles } from '../../external/outbound/mailFiles.ts'
import { createRoundsWorker, type RoundsWorkerOptions } from '../../workers/roundsWorker.ts'

export type ComposeMailErasureDeps = {
  folder: string
  clock: () => number
  log: RoundsWorkerOptions['log']
}

/** Pause between two deletions, also after one that failed. */
const PAUSE_MS = 60_000
/** A mail that was being sent when its address was erased is written within this time. */
const SENDING_MS = 120_000

/**
 * Composes the deletion of this process’s mails to erased addresses. It is a worker of its own, so that a folder that cannot
 * be read delays no erasure.
 *
 * The addresses are stored nowhere, so what a process could not delete before it ended is deleted by its age.
 */
export function composeMailErasure({ folder, clock, log }: ComposeMailErasureDeps) {
  const files = createMailFiles(folder)
  const erasedAt = new Map<string, number>()
  const worker = createRoundsWorker({
    failing: 'mails to erased accounts cannot be deleted',
    async round() {
      const now = clock()
      for (const [address, since] of erasedAt) {
        await files.deleteTo(address)
        if (now - since >= SENDING_MS) erasedAt.delete(address)
      }
      return 0
    },
    pauseMs: PAUSE_MS,
    log,
  })
  return {
    start: worker.start,
    stop: worker.stop,
    onAddressErased(address: string): void {
      erasedAt.set(address, clock())
      worker.wake()
    },
  }
}
