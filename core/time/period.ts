/** The calendar periods over which spend is summed; `total` never begins anew. */
export const PERIODS = ['hour', 'day', 'week', 'month', 'total'] as const

export type Period = (typeof PERIODS)[number]
