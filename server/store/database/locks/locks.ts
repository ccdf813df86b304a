import type { QueryConfig } from 'pg'

/** The locks that all processes of a database share; whoever takes several takes them in this order. */
export type SharedLock = 'migrations' | 'useCases' | 'log'

/**
 * The locks that processes of one PostgreSQL take, as statements. Each is held until the end of the transaction that takes
 * it, however that ends.
 */
export type Locks = {
  /** Waits until nobody else holds the lock. */
  exclusive(lock: SharedLock): QueryConfig
  /** Waits until nobody holds the lock exclusively: the first of these statements that returns a row has taken it. */
  shared(lock: SharedLock): readonly QueryConfig[]
  /** Takes the locks of these names, in one order for all callers. */
  named(names: Iterable<string>): QueryConfig
}
