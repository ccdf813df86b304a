import type { OpenLoopResult } from './load/openLoop.ts'

/** Who answers: our two branches and the peers they are held against. */
export type ContenderName =
  | 'bareHttp'
  | 'bareExpress'
  | 'sqliteCommit'
  | 'knexCommit'
  | 'verified'
  | 'anonymous'

/** Everything that the load on verify-access found, round by round. */
export type VerifyAccessFigures = {
  readonly connections: number
  readonly openPerSecond: number
  /** Answers per second of each closed-loop round. */
  readonly closed: Partial<Record<ContenderName, readonly number[]>>
  readonly open: Partial<Record<ContenderName, readonly OpenLoopResult[]>>
  /** Size of one answer's body. */
  readonly answerBytes: Partial<Record<ContenderName, number>>
  /** One fsync of the disk that the databases are on. */
  readonly fsyncMs: number
  /** Of our service: right answers given, and audit records that came onto the disk meanwhile. */
  readonly recorded?: { readonly answers: number; readonly records: number }
  readonly rounds: number
  /** Rounds that began while something else kept the cores busy. */
  readonly busyRounds: number
  readonly wrong: readonly string[]
}
