import knex, { type Knex } from 'knex'
import type { Client } from 'pg'
import { KNEX_SETTINGS } from '../knexSettings.ts'
import { buildPostgresConnection, type PostgresOptions } from './buildPostgresConnection.ts'
import { isSessionFailing, watchSession } from './watchSession.ts'

/**
 * Opens a pool of connections to PostgreSQL. It connects when it is first used, and again in place of a connection whose
 * session keeps failing.
 *
 * knex reads the settings of a connection once and offers no way to choose a host for each, so they are replaced before
 * each connection.
 */
export function openPostgresPool(
  url: string,
  options: PostgresOptions,
  settings: Pick<Knex.Config, 'pool' | 'searchPath' | 'acquireConnectionTimeout'>,
): Knex {
  const { validate = () => true } = settings.pool ?? {}
  const pool = { ...settings.pool, validate: (one: Client) => !isSessionFailing(one) && validate(one) }
  const query = knex({ ...KNEX_SETTINGS, client: 'pg', connection: {}, ...settings, pool })
  const { client } = query
  const connect = client.acquireRawConnection.bind(client)
  client.acquireRawConnection = async () => {
    client.connectionSettings = await buildPostgresConnection(url, options)
    const connection = await connect()
    watchSession(connection)
    return connection
  }
  return query
}
