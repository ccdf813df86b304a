/** How decisions come out, in the order in which they are stacked and named. Source: `Spec: Events`. */
export const OUTCOMES = [
  { name: 'grant', words: 'Granted', color: 'teal' },
  { name: 'audit', words: 'Audited', color: 'blue' },
  { name: 'step_up_required', words: 'Held for approval', color: 'orange' },
  { name: 'deny', words: 'Denied', color: 'red' },
] as const

type Outcome = (typeof OUTCOMES)[number]['name']

/** The outcome that each event of a decision stands for; other events are no decisions. */
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

export type Period = 'day' | 'week'

/** Hours to ask for: a week of local days begins in the day before the first of them, by UTC. */
export const PERIOD_HOURS: Readonly<Record<Period, number>> = { day: 24, week: 8 * 24 }

/** One bar: a time, and how many decisions came out which way in it. */
export type Bar = { start: Date; counts: Record<Outcome, number> }

type Hours = readonly { start: string; counts: Readonly<Record<string, number>> }[]

/** The bars of a period that ends now: 24 hours, or seven days as the reader's clock has them. */
export function decisionsOverTime(hours: Hours, period: Period, now: Date): Bar[] {
  const bars = startsOf(period, now).map((start) => ({
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

function startsOf(period: Period, now: Date): Date[] {
  if (period === 'day') {
    const hour = new Date(now)
    hour.setUTCMinutes(0, 0, 0)
    return Array.from({ length: 24 }, (_, at) => new Date(hour.getTime() - (23 - at) * 3_600_000))
  }
  // By the calendar and not by 24 hours: a day of a clock change is shorter or longer.
  return Array.from(
    { length: 7 },
    (_, at) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (6 - at)),
  )
}
