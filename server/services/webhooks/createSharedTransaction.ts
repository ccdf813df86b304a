import type { Db } from '../../store/database/database.ts'

type Work<Trx> = (trx: Trx) => Promise<void>
type Waiting<Trx> = { work: Work<Trx>; resolve(): void; reject(reason: unknown): void }
type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]

/**
 * Collects work that arrives during a transaction and runs it in one transaction afterwards.
 *
 * Many small results then take the write lock and wait for the disk a few times instead of once each, which leaves both to
 * the decisions. Such work succeeds or fails together, so it must be safe to repeat.
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
        }, [])
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
