/** Kind and ids of the changed agent, endpoint or key, which caches may hold. */
export type Change = { kind: string; ids: readonly string[] }

export type ChangesListener = {
  onChange(change: Change): void
  /** Changes may have been missed: no cached value is reliable any more. */
  onMissed(): void
  log: { warn(fields: object, message: string): void }
}

export type ChangesSubscription = { stop(): Promise<void> }

/**
 * Subscribes to the changes that any process commits to the database, including this one.
 *
 * While they cannot be received, `onMissed` is called every half second and once more on success.
 *
 * @returns Once the first changes would arrive.
 * @throws Error if the database is unreachable.
 */
export type ListenToChanges = (url: string, listener: ChangesListener) => Promise<ChangesSubscription>
