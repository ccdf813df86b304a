import type { QueryConfig } from 'pg'
import { openReconnectingClient } from '../database/connections/reconnectingClient.postgres.ts'
import { advisoryLocks } from '../database/locks/locks.advisory.ts'
import type { Locks } from '../database/locks/locks.ts'

/** Maximum number of records per transaction, which limits how long the lock of the log is held. */
const CHUNK_MAX = 8_000

export type Sequencer = {
  /** Resolves once every record that was committed before the call has its place in the log. */
  placeAll(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the sequencer, which gives committed records consecutive places in the log: it moves them from the pending ones to
 * the log, in the order of their insertion.
 *
 * A record is durable before it has a place, so that no answer waits for one. Move and place are one transaction: whenever a
 * process ends, a record is either pending or in the log, never both. Every process may run it. The lock of the log makes
 * them take turns, and it is taken before the snapshot that reads the end of the log. Whatever happened after a commit has a
 * later position than what was committed, so the log never shows an effect before its cause.
 *
 * Source: RFC 9162 §4.1 lets a log accept an entry before it merges it into the tree.
 */
export function openSequencer(
  url: string,
  { chunkMax = CHUNK_MAX, locks = advisoryLocks }: { chunkMax?: number; locks?: Locks } = {},
): Sequencer {
  const connection = openReconnectingClient(url, { name: 'sequencer' })
  let last: Promise<void> = Promise.resolve()

  async function placeUntilNoneIsLeft(): Promise<void> {
    const client = await connection.connect()
    try {
      for (;;) {
        const { rowCount } = await client.query(FIRST_PENDING)
        if (rowCount === 0) return
        const [, , moved] = await Promise.all(
          [BEGIN, locks.exclusive('log'), moveOf(chunkMax), COMMIT].map((one) => client.query(one)),
        )
        if ((moved?.rowCount ?? 0) < chunkMax) return
      }
    } catch (error) {
      await connection.rollBack(client)
      throw error
    }
  }

  return {
    placeAll() {
      last = last.then(placeUntilNoneIsLeft, placeUntilNoneIsLeft)
      return last
    },
    async close() {
      await last.catch(() => undefined)
      await connection.close()
    },
  }
}

/** With another isolation the snapshot would be that of the statement that waits for the lock. */
const BEGIN: QueryConfig = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
const COMMIT: QueryConfig = { text: 'COMMIT' }

/** In order, because the index skips the rows that were moved: `EXISTS` would read all of them until they are vacuumed. */
const FIRST_PENDING: QueryConfig = {
  name: 'first_pending',
  text: 'SELECT position FROM pending_records ORDER BY position LIMIT 1',
}

const RECORD = `record_id, recorded_at, event_type, owner_id, counterparty_owner_id, agent_id, endpoint_id, session_id,
  event_data, inputs, inputs_salt, entry`

/**
 * All parts of the statement see the same snapshot, so exactly the rows that are inserted are deleted. Rows that are deleted
 * first would have to be sorted, which takes longer than the rest because they are wide; the index yields them in order. It
 * is used however full the table was when it was last analysed, because both ends of the range are given.
 */
function moveOf(count: number): QueryConfig {
  return {
    name: 'place_records',
    text: `WITH
      log AS (SELECT COALESCE(MAX(seq) + 1, 0) AS size FROM audit_records),
      chunk AS (SELECT min(position) AS first, max(position) AS last
        FROM (SELECT position FROM pending_records ORDER BY position LIMIT $1) AS next),
      placed AS (INSERT INTO audit_records (seq, ${RECORD})
        SELECT (SELECT size FROM log) + row_number() OVER (ORDER BY position) - 1, ${RECORD}
        FROM (SELECT * FROM pending_records
          WHERE position BETWEEN (SELECT first FROM chunk) AND (SELECT last FROM chunk)
          ORDER BY position LIMIT $1) AS next
        ORDER BY position)
      DELETE FROM pending_records
      WHERE position BETWEEN (SELECT first FROM chunk) AND (SELECT last FROM chunk)`,
    values: [count],
  }
}
