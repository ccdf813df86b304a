import type pg from 'pg'
import { openReconnectingClient } from '../connections/reconnectingClient.postgres.ts'

/** Begins the names of processes that show their presence, unlike those of earlier releases and other databases. */
const SHOWN = 'process:'
/** Second argument of the hash, so that no name has the key of a lock that use cases take. */
const SEED = 1

/** How the other processes of a database see that this one still runs. */
export type Presence = {
  /** The name of this process, under which it holds leases. */
  holder: string
  /** Shows that it runs, again if the connection has broken. @throws If the database is unreachable. */
  show(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the presence of this process: an advisory lock on its name, which a session of its own holds.
 *
 * PostgreSQL ends the session of a process that dies in the same moment, so the lock is a sign of life that needs no clock.
 * It proves nothing more: a process whose connection broke may still run, so whoever takes over its work needs a fence.
 *
 * @param id Unique among all processes.
 * Source: PostgreSQL 15 §13.3.5 "Advisory Locks".
 */
export function openPresence(url: string, id: string): Presence {
  const holder = `${SHOWN}${id}`
  const connection = openReconnectingClient(url, { name: 'presence' })
  let locked: pg.Client | null = null
  let showing: Promise<void> | null = null

  async function lock(): Promise<void> {
    const client = await connection.connect()
    try {
      // Asked even if it holds the lock, because a broken connection can look like silence.
      if (client === locked) await client.query('SELECT 1')
      else await client.query(`SELECT pg_advisory_lock(hashtextextended($1, ${SEED}))`, [holder])
      locked = client
    } catch (error) {
      await connection.rollBack(client)
      throw error
    }
  }

  return {
    holder,
    show() {
      showing ??= lock().finally(() => {
        showing = null
      })
      return showing
    },
    close: connection.close,
  }
}

/**
 * A condition on a row with a `holder`: its process has shown its presence, and does so no longer.
 *
 * The lock that shows this is held until the end of the statement's transaction.
 */
export const HOLDER_IS_GONE = `holder LIKE '${SHOWN}%' AND pg_try_advisory_xact_lock(hashtextextended(holder, ${SEED}))`
