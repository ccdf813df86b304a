import type Sqlite from 'better-sqlite3'
import type { EarlierUse, ProofUse } from './recorder.ts'

/** How many uses there are per clean-up of expired ones. */
const FORGET_EVERY = 64
/** Oldest uses examined at once: more than are added in between, and few enough to be quick. */
const EXAMINED_MAX = 512

/** Those of the oldest uses that have expired; the table is in the order of arrival. */
const EXPIRED = `SELECT position FROM (
  SELECT position, expires_at FROM recent_proofs ORDER BY position LIMIT ${EXAMINED_MAX}
) WHERE expires_at < ?`

/**
 * Stores the uses of proofs at the end of a table, and finds them again in memory.
 *
 * Sorted on disk by what they are found by, which is random, almost every use would change a page of its own, which was a
 * third of what a signed request wrote. The table in memory is attached to the connection and takes part in its
 * transactions, so a use that is rolled back is also forgotten there; it is filled from the disk when the recorder opens.
 * While the process has locked its folder, nothing else writes either of them.
 *
 * Uses that use cases store, those of requests that were held, which stay until the owner could answer, and payments, which
 * stay until they end, are in `used_proofs`; the column `attempt_id` says for what they may be presented again. What is used
 * up for good stays so.
 */
export function createRecentProofs(database: Sqlite.Database) {
  database.exec(`ATTACH ':memory:' AS memory;
    CREATE TABLE memory.proofs (proof TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
    INSERT OR IGNORE INTO memory.proofs (proof) SELECT proof FROM recent_proofs`)
  const find = database.prepare<[string, string], EarlierUse>(
    `SELECT NULL AS reusableFor, NULL AS expiresAt FROM memory.proofs WHERE proof = ?
     UNION ALL SELECT attempt_id, expires_at FROM used_proofs WHERE proof = ?`,
  )
  const isRecent = database.prepare<[string]>('SELECT 1 FROM memory.proofs WHERE proof = ?')
  const remember = database.prepare<[string]>('INSERT OR IGNORE INTO memory.proofs (proof) VALUES (?)')
  const append = database.prepare<[string, number]>(
    'INSERT INTO recent_proofs (proof, expires_at) VALUES (?, ?)',
  )
  const hold = database.prepare<[string, number, string | null]>(
    `INSERT INTO used_proofs (proof, expires_at, attempt_id) VALUES (?, ?, ?)
     ON CONFLICT (proof) DO UPDATE
     SET attempt_id = excluded.attempt_id, expires_at = max(expires_at, excluded.expires_at)
     WHERE attempt_id IS NOT NULL`,
  )
  const forget = database.prepare<[number]>(
    `DELETE FROM memory.proofs
     WHERE proof IN (SELECT proof FROM recent_proofs WHERE position IN (${EXPIRED}))`,
  )
  const remove = database.prepare<[number]>(`DELETE FROM recent_proofs WHERE position IN (${EXPIRED})`)
  const oldest = database.prepare<[], { expiresAt: number }>(
    'SELECT expires_at AS expiresAt FROM recent_proofs ORDER BY position LIMIT 1',
  )
  let uses = 0

  return {
    /** The earlier use of a proof, or the revocation of a key. */
    find: (proof: string) => find.get(proof, proof),

    /** Whether a decision has used it up for good, which `used_proofs` does not show. */
    isRecent: (proof: string) => isRecent.get(proof) !== undefined,

    /**
     * Stores a use, and occasionally deletes those that have expired. `now` in epoch milliseconds.
     *
     * While the oldest one has not expired, none is examined: each expires within minutes, so the others wait no longer.
     */
    use({ proof, expiresAt, reusableFor, wasHeld }: ProofUse & EarlierUse, now: number): void {
      if (reusableFor !== null || wasHeld) hold.run(proof, expiresAt, reusableFor)
      else if (remember.run(proof).changes > 0) append.run(proof, expiresAt)
      uses += 1
      if (uses % FORGET_EVERY > 0 || (oldest.get()?.expiresAt ?? now) >= now) return
      forget.run(now)
      remove.run(now)
    },
  }
}
