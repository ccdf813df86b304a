/** First half of the key of our advisory locks, so that they are nobody else's: `svc` in ASCII. */
const OURS = 0x737663

/**
 * Advisory locks of PostgreSQL that the processes over one database share, as arguments of `pg_advisory_xact_lock`.
 *
 * Whoever takes more than one takes them in this order, `log` last: it is held to the end of the commit, and makes
 * sequence numbers dense and of the order of the commits.
 * Source: PostgreSQL 15 §13.3.5 "Advisory Locks".
 */
export const POSTGRES_LOCKS = {
  migrations: `${OURS}, 1`,
  useCases: `${OURS}, 2`,
  log: `${OURS}, 3`,
} as const
