import pg from 'pg'
import { type PostgresOptions, postgresConnection } from './postgresConnection.ts'

export type ReconnectingClient = {
  /** The connection, a new one when the last has broken. */
  ready(): Promise<pg.Client>
  /** Makes the connection fit for the next transaction; one that cannot be is given up. */
  rollBack(client: pg.Client): Promise<void>
  close(): Promise<void>
}

/** One connection for one user at a time, whose statements do not wait for the answers to those before. */
export function openReconnectingClient(url: string, options: PostgresOptions): ReconnectingClient {
  let current: pg.Client | null = null

  function giveUp(client: pg.Client): void {
    if (current === client) current = null
    client.end().catch(() => undefined)
  }

  return {
    async ready() {
      if (current !== null) return current
      const client = new pg.Client(postgresConnection(url, { ...options, pipeline: true }))
      client.on('error', () => giveUp(client))
      client.on('end', () => giveUp(client))
      await client.connect()
      current = client
      return client
    },
    async rollBack(client) {
      try {
        await client.query('ROLLBACK')
      } catch {
        giveUp(client)
      }
    },
    async close() {
      const client = current
      current = null
      await client?.end()
    },
  }
}
