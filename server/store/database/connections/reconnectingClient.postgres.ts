import pg from 'pg'
import { buildPostgresConnection, type PostgresOptions } from './buildPostgresConnection.ts'
import { isSessionFailing, watchSession } from './watchSession.ts'

export type ReconnectingClient = {
  /** Returns the connection, and reconnects if it broke or its session keeps failing. */
  connect(): Promise<pg.Client>
  /** Rolls back so that the next transaction can start; a connection that fails to, or whose session does, is discarded. */
  rollBack(client: pg.Client): Promise<void>
  close(): Promise<void>
}

/** Opens a pipelined connection for one user at a time. */
export function openReconnectingClient(url: string, options: PostgresOptions): ReconnectingClient {
  let current: pg.Client | null = null

  function discard(client: pg.Client): void {
    if (current === client) current = null
    client.end().catch(() => undefined)
  }

  return {
    async connect() {
      if (current !== null && !isSessionFailing(current)) return current
      if (current !== null) discard(current)
      const client = new pg.Client(await buildPostgresConnection(url, { ...options, pipeline: true }))
      client.on('error', () => discard(client))
      client.on('end', () => discard(client))
      watchSession(client)
      await client.connect()
      current = client
      return client
    },
    async rollBack(client) {
      try {
        if (isSessionFailing(client)) discard(client)
        else await client.query('ROLLBACK')
      } catch {
        discard(client)
      }
    },
    async close() {
      const client = current
      current = null
      await client?.end()
    },
  }
}
