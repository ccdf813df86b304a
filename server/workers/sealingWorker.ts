/** How often it is looked whether a batch is due. */
const LOOK_MS = 250
/**
 * Rest after a batch: under load one fills up in a part of a second, and more of them would be more work, here and on
 * chain, for the same records.
 */
const SEALED_REST_MS = 1_000

export type SealingWorkerDeps = {
  /** Seals a batch if one is due, and answers whether it did. */
  seal(): Promise<boolean>
  log: { error(fields: object, message: string): void }
}

export type SealingWorker = {
  start(): void
  /** Null while all is well, else the sentence for the health answer. */
  failure(): string | null
  /** Resolves when nothing is being sealed any more. */
  stop(): Promise<void>
}

/** Seals batches by the clock, one at a time. A failure is told once until it passes, and tried again. */
export function createSealingWorker({ seal, log }: SealingWorkerDeps): SealingWorker {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let failure: string | null = null

  async function look(): Promise<void> {
    let isSealed = false
    try {
      isSealed = await seal()
      failure = null
    } catch (error) {
      const sentence = `no batch can be sealed: ${error instanceof Error ? error.message : error}`
      if (sentence !== failure && !stopped) log.error({ err: error }, sentence)
      failure = sentence
    }
    if (!stopped) timer = setTimeout(begin, isSealed ? SEALED_REST_MS : LOOK_MS)
  }

  function begin(): void {
    running = look()
  }

  return {
    start: begin,
    failure: () => failure,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
