import type { SessionShares } from '../load/watchSessions.ts'

/** Numbers of processes over one database. */
export const PROCESSES = [1, 2, 4] as const

/** Whether the requesting agents have an hourly cap, which is counted in the decision's transaction. */
export const CAPS = ['uncapped', 'capped'] as const

/** One combination; `delayMs` is added to every sync of the database. */
export type ScalingCell = {
  delayMs: number
  caps: (typeof CAPS)[number]
  processes: (typeof PROCESSES)[number]
}

/** What one load showed. */
export type CellFigures = {
  perSecond: number
  /** Half of the responses took at most this long. */
  medianMs: number
  /** Processor time for each response, in microseconds. */
  cpuMicros: { service: number; database: number; load: number }
  /** Share of the time of all cores that was used, by anything on the machine. */
  coresBusy: number
  /** Null where there is no database. */
  shares: SessionShares | null
}

export type ScalingFigures = {
  cells: (ScalingCell & CellFigures)[]
  /** Bare Express with the same connections, without a database. */
  express: CellFigures[]
  /** Loads with wrong responses, which are not among the others. */
  wrong: string[]
}
