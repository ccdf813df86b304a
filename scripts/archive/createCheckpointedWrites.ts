import type { Config } from '../../server/config.ts'
import type { Db } from '../../server/store/database/database.ts'
import { createWalCheckpointer } from '../../server/store/database/wal/walCheckpointer.sqlite.ts'

/**
 * Wraps a script's transactions so that each is followed by a check of SQLite's write-ahead log. Without a server, nothing
 * else keeps the log short, and archiving rewrites every row that it clears.
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
