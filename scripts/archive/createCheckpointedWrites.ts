import type { Config } from '../../server/config.ts'
import type { Db } from '../../server/store/database/database.ts'
import { createWalCheckpointer } from '../../server/store/database/walCheckpointer.sqlite.ts'

/**
 * Transactions of a script, with a look at SQLite's write-ahead log after each: where no server runs, nobody else keeps
 * it short, and what an archive clears is all written once more.
 */
export function createCheckpointedWrites(
  { databaseUrl, databaseFile }: Pick<Config, 'databaseUrl' | 'databaseFile'>,
  transaction: Db['transaction'],
): { transaction: Db['transaction']; close(): void } {
  if (databaseUrl !== undefined) return { transaction, close: () => undefined }
  const checkpointer = createWalCheckpointer(databaseFile)
  return {
    async transaction(work) {
      const result = await transaction(work)
      checkpointer.run()
      return result
    },
    close() {
      checkpointer.run()
      checkpointer.close()
    },
  }
}
