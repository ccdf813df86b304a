import type { Knex } from 'knex'
import { openSequencer } from '../../../server/store/audit/sequencer.postgres.ts'

/**
 * Gives the committed records of a PostgreSQL database their places; does nothing on SQLite, where they have them.
 *
 * @param database Its URL, undefined on SQLite, or an open connection to it.
 */
export async function placeRecords(database: Knex | string | undefined): Promise<void> {
  const url = typeof database === 'function' ? database.client.connectionSettings.connectionString : database
  if (url === undefined) return
  const sequencer = openSequencer(url)
  await sequencer.placeAll()
  await sequencer.close()
}
