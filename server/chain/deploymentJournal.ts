import type { Hex } from './chainTypes.ts'

/** A signed transaction of a deployment, and those with the same nonce and lower fees that it replaces. */
export type JournalEntry = {
  hash: Hex
  nonce: number
  raw: Hex
  /** Number of the latest block when it was signed. */
  headBlock: number
  /** Hashes of the replaced ones, any of which may still be mined instead. */
  formerHashes: readonly Hex[]
}

/**
 * What a deployment remembers of its transactions, by the hash of what each of them does. An attempt that follows one which
 * was interrupted waits for them, or sends them again, and pays for none twice.
 */
export type DeploymentJournal = {
  /** Keeps other processes from deploying meanwhile. @throws Error if one has taken over. */
  renew(): Promise<void>
  find(callHash: Hex): Promise<JournalEntry | null>
  /** The block before which nothing of this deployment was sent; null if nothing was. */
  firstBlock(): Promise<number | null>
  /** Called before the transaction is sent. @throws Error if another process has taken over. */
  insert(callHash: Hex, entry: JournalEntry): Promise<void>
  /** Called before the replacement is sent. @throws Error if another process has taken over. */
  replace(callHash: Hex, entry: JournalEntry): Promise<void>
  remove(callHash: Hex): Promise<void>
  log: { info(fields: object, message: string): void }
}

/** For a transaction of which nothing needs to be remembered. */
export const NO_JOURNAL: DeploymentJournal = {
  renew: async () => undefined,
  find: async () => null,
  firstBlock: async () => null,
  insert: async () => undefined,
  replace: async () => undefined,
  remove: async () => undefined,
  log: { info: () => undefined },
}
