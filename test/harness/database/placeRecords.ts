import type { Knex } from 'knex'
import pg from 'pg'
import type { FeatureSet } from '../../../server/config/featureSets.ts'
import { openSequencer } from '../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../server/store/database/databaseFeatures.ts'

/**
 * Gives the committed records of a PostgreSQL database their places; does nothing on SQLite, where they have them.
 *
 * @param database Its URL, undefined on SQLite, or an open connection to it.
 */
export async function placeRecords(database: Knex | string | undefined): Promise<void> {
  const url = typeof database === 'function' ? database.client.connectionSettings.connectionString : database
  if (url === undefined) return
  const sequencer = openSequencer(url, { locks: chooseFeatures(await readFeatures(url)).locks })
  await sequencer.placeAll()
  await sequencer.close()
}

/** Reads with which features the database is used, because its locks have to be those of the service. */
async function readFeatures(url: string): Promise<FeatureSet | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ features: FeatureSet }>('SELECT features FROM database_features')
    return rows[0]?.features
  } finally {
    await client.end()
  }
}
