/** The bound of a figure, in its unit. */
export type Target =
  /** A figure below `floor` means that something is broken, not just slow. */
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
  /** Lowest and highest of the rounds whose median is the figure. */
  readonly range?: readonly [number, number]
  readonly target?: Target
}

/** Figures that were measured together, with notes on how to read them. */
export type ReportSection = {
  readonly title: string
  readonly rows: readonly ReportRow[]
  readonly notes: readonly string[]
  /** Wrong responses, if the rest of the section is worth showing nevertheless. */
  readonly wrong?: readonly string[]
}

/** The result of one run, printed as a table and stored as JSON. */
export type BenchReport = {
  readonly startedAt: string
  readonly machine: {
    readonly cores: number
    readonly model: string
    readonly node: string
    readonly platform: string
    readonly fsyncMs: number
    /** Mean number of running processes in the previous minute. */
    readonly loadBefore: number
  }
  readonly isQuick: boolean
  readonly sections: readonly ReportSection[]
  /** Failures and wrong responses, which make the figures meaningless. */
  readonly wrong: readonly string[]
}
