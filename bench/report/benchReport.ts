/** The bound a figure has to keep, in the figure's own unit. */
export type Target =
  /** Below `floor` something is broken, not merely slow. */
  | { readonly atLeast: number; readonly floor?: number }
  | { readonly atMost: number }
  | { readonly below: number }

/** One figure. */
export type ReportRow = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The figure divided by its section's limit or reference. */
  readonly ratio?: number
  /** Lowest and highest round of those whose median the figure is. */
  readonly range?: readonly [number, number]
  readonly target?: Target
}

/** Figures that were taken together, with what has to be known to read them. */
export type ReportSection = {
  readonly title: string
  readonly rows: readonly ReportRow[]
  readonly notes: readonly string[]
}

/** What one run of the bench found; printed as a table and kept as JSON. */
export type BenchReport = {
  readonly startedAt: string
  readonly machine: {
    readonly cores: number
    readonly model: string
    readonly node: string
    readonly platform: string
    readonly fsyncMs: number
    /** Mean number of running processes in the minute before. */
    readonly loadBefore: number
  }
  readonly isQuick: boolean
  readonly sections: readonly ReportSection[]
  /** What failed or was answered wrongly: figures beside it are worth nothing. */
  readonly wrong: readonly string[]
}
