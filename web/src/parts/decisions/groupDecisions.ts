/** Outcomes of decisions, in the order of the chart and the table. Source: `Spec: Events`. */
export const OUTCOMES = [
  { name: 'grant', label: 'Granted', color: 'teal' },
  { name: 'audit', label: 'Audited', color: 'blue' },
  { name: 'step_up_required', label: 'Held for approval', color: 'orange' },
  { name: 'deny', label: 'Denied', color: 'red' },
] as const

type Outcome = (typeof OUTCOMES)[number]['name']

/** The outcome for each decision event; other events are not decisions. */
const OUTCOME_OF: Readonly<Record<string, Outcome>> = {
  'verification.completed': 'grant',
  'verification.unverified_allow_partial': 'grant',
  'verification.unverified_allow_full': 'grant',
  'verification.unverified_audit': 'audit',
  'verification.step_up_required': 'step_up_required',
  'verification.denied': 'deny',
  'verification.unverified_deny': 'deny',
  'verification.agent_not_found': 'deny',
}

export type Period = 'day' | 'week' | 'month'

/** Local calendar days of the longer periods. */
const DAYS = { week: 7, month: 30 } as const

/** A bar of the chart: its start and the number of decisions by outcome. */
export type Bar = { start: Date; counts: Record<Outcome, number> }

type Hours = readonly { start: string; counts: Readonly<Record<string, number>> }[]

/** Groups hourly counts into the bars of a period that ends now: 24 hours, or local calendar days. */
export function groupDecisions(hours: Hours, period: Period, now: Date): Bar[] {
  const bars = listStarts(period, now).map((start) => ({
    start,
    counts: { grant: 0, audit: 0, step_up_required: 0, deny: 0 },
  }))
  for (const { start, counts } of hours) {
    const bar = bars.findLast((one) => one.start.getTime() <= Date.parse(start))
    for (const [eventType, count] of Object.entries(counts)) {
      const outcome = OUTCOME_OF[eventType]
      if (bar !== undefined && outcome !== undefined) bar.counts[outcome] += count
    }
  }
  return bars
}

function listStarts(period: Period, now: Date): Date[] {
  if (period === 'day') {
    const hour = new Date(now)
    hour.setUTCMinutes(0, 0, 0)
    return Array.from({ length: 24 }, (_, at) => new Date(hour.getTime() - (23 - at) * 3_600_000))
  }
  // Calendar days rather than 24 hours, because a day with a clock change is shorter or longer.
  return Array.from(
    { length: DAYS[period] },
    (_, at) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS[period] - 1 - at)),
  )
}
