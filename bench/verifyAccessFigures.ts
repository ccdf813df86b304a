import type { OpenLoopResult } from './load/openLoop.ts'
import type { PeerName } from './startPeer.ts'

/** Our two branches and the peers that they are compared with. */
export type ContenderName = PeerName | 'verified' | 'signed' | 'receipt' | 'anonymous'

/** All figures of the load on verify-access, round by round. */
export type VerifyAccessFigures = {
  readonly connections: number
  readonly openPerSecond: number
  /** Responses per second of each closed-loop round. */
  readonly closed: Partial<Record<ContenderName, readonly number[]>>
  /** The same with servers that may use all cores. */
  readonly onAllCores: Partial<Record<ContenderName, readonly number[]>>
  readonly open: Partial<Record<ContenderName, readonly OpenLoopResult[]>>
  /** Size of one response body. */
  readonly answerBytes: Partial<Record<ContenderName, number>>
  /** Median time of one fsync on the disk of the databases. */
  readonly fsyncMs: number
  /** Correct responses of our service, and audit records that it stored on disk meanwhile. */
  readonly recorded?: { readonly answers: number; readonly records: number }
  readonly rounds: number
  /** Rounds that began while something else kept the cores busy. */
  readonly busyRounds: number
  readonly wrong: readonly string[]
}
