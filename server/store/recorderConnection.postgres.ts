import pg from 'pg'
import { postgresConnection } from './postgresConnection.ts'

/** Bounds how long callers wait for locks of others, and for a slow server, before they are told to come again. */
const SETTINGS = { name: 'recorder', lockMs: 2_000, statementMs: 5_000, pipeline: true }

export type RecorderConnection = {
  /** The connection, a new one when the last has broken. */
  ready(): Promise<pg.Client>
  /** Makes the connection fit for the next group; one that cannot be is given up. */
  rollBack(client: pg.Client): Promise<void>
  close(): Promise<void>
}

/** The one connection of a recorder; statements on it do not wait for the answers to those before. */
export function openRecorderConnection(url: string): RecorderConnection {
  let current: pg.Client | null = null

  function giveUp(client: pg.Client): void {
    if (current === client) current = null
    client.end().catch(() => undefined)
  }

  return {
    async ready() {
      if (current !== null) return current
      const client = new pg.Client(postgresConnection(url, SETTINGS))
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
