import knex, { type Knex } from 'knex'
import { buildPostgresConnection, type PostgresOptions } from './buildPostgresConnection.ts'
import { KNEX_SETTINGS } from './knexSettings.ts'

/**
 * Opens a pool of connections to PostgreSQL. It connects when it is first used.
 *
 * knex reads the settings of a connection once and offers no way to choose a host for each, so they are replaced before
 * each connection.
 */
export function openPostgresPool(
  url: string,
  options: PostgresOptions,
  settings: Pick<Knex.Config, 'pool' | 'searchPath' | 'acquireConnectionTimeout'>,
): Knex {
  const query = knex({ ...KNEX_SETTINGS, client: 'pg', connection: {}, ...settings })
  const { client } = query
  const connect = client.acquireRawConnection.bind(client)
  client.acquireRawConnection = async () => {
    client.connectionSettings = await buildPostgresConnection(url, options)
    return connect()
  }
  return query
}
