/** The columns in which the activity is shown and exported, in their usual order. */
export const ACTIVITY_COLUMNS = [
  ...(['time', 'outcome', 'event', 'agent', 'endpoint', 'purpose', 'action', 'resource'] as const),
  ...(['jurisdiction', 'amount', 'proof', 'reasons', 'ip', 'record'] as const),
] as const

/** A column of the activity. */
export type ActivityColumn = (typeof ACTIVITY_COLUMNS)[number]

/** Maximum number of events per export. */
export const ACTIVITY_EXPORT_MAX = 10_000
