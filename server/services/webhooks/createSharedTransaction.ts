import type { Db } from '../../store/database/database.ts'

type Work<Trx> = (trx: Trx) => Promise<void>
type Waiting<Trx> = { work: Work<Trx>; resolve(): void; reject(reason: unknown): void }
type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]

/**
 * Runs what comes in while a transaction is under way in one transaction after it.
 *
 * Many small outcomes then take the write lock, and wait for the disk, a few times instead of each once, which is left to
 * the decisions. They stand and fall together, so it is for what may be done again.
 */
export function createSharedTransaction(
  db: Pick<Db, 'transaction'>,
): (work: Work<Transaction>) => Promise<void> {
  let waiting: Waiting<Transaction>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (waiting.length > 0) {
      const together = waiting
      waiting = []
      try {
        await db.transaction(async (trx) => {
          for (const { work } of together) await work(trx)
        })
        for (const { resolve } of together) resolve()
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    isRunning = false
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject })
      void run()
    })
}
