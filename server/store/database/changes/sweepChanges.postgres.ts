import { openReconnectingClient } from '../connections/reconnectingClient.postgres.ts'

/** Limits how long deleting may take. */
const SWEEP_LIMIT_MS = 2_000
/** How much later than the time limit of readers rows are deleted. */
const MARGIN_MS = 60 * 60_000

/**
 * Deletes the rows of changes that no listener reads any more. The last row that is older than `readMs` stays, because
 * listeners count from it.
 *
 * It uses a connection of its own: a commit that waits for a lost standby would otherwise keep the reader waiting, too.
 *
 * @param readMs How old a row may be that a listener still reads.
 */
export async function sweepChanges(url: string, readMs: number): Promise<void> {
  const connection = openReconnectingClient(url, { name: 'sweep', statementMs: SWEEP_LIMIT_MS })
  try {
    const client = await connection.connect()
    await client.query(
      `DELETE FROM changes WHERE made_at < now() - make_interval(secs => $1) AND id < (
         SELECT max(id) FROM changes WHERE made_at < now() - make_interval(secs => $2))`,
      [(readMs + MARGIN_MS) / 1_000, readMs / 1_000],
    )
  } finally {
    await connection.close()
  }
}
