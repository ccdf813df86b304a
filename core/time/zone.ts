/** A time zone. */
export type Zone = {
  /** The milliseconds to add to UTC at `now` (epoch milliseconds). */
  offsetAt: (now: number) => number
}

const DAY_MS = 86_400_000
const zones = new Map<string, Zone>()

/**
 * The zone with an IANA name, which caches its current offset.
 *
 * The runtime takes microseconds to compute an offset. So an offset is cached for the part of the UTC day in which it
 * applies: the runtime is asked twice a day, and more often on days with a transition. Historical offsets with seconds are
 * exact too. There is one zone for each name, ignoring case.
 *
 * @throws RangeError for a name that the runtime does not know; `isTimeZone` checks a name.
 */
export function zoneOf(name: string): Zone {
  const key = name.toLowerCase()
  const known = zones.get(key)
  if (known !== undefined) return known
  const zone = key === 'utc' ? { offsetAt: () => 0 } : createZone(name)
  zones.set(key, zone)
  return zone
}

function createZone(name: string): Zone {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  let from = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let offset = 0
  return {
    offsetAt(now) {
      if (now >= from && now < until) return offset
      const dayStart = Math.floor(now / DAY_MS) * DAY_MS
      offset = measureOffset(formatter, now)
      from = isOffset(formatter, dayStart, offset)
        ? dayStart
        : findTransition(formatter, dayStart, now, offset, true)
      const dayEnd = dayStart + DAY_MS
      until = isOffset(formatter, dayEnd - 1, offset)
        ? dayEnd
        : findTransition(formatter, now, dayEnd, offset, false)
      return offset
    },
  }
}

function isOffset(formatter: Intl.DateTimeFormat, instant: number, offset: number): boolean {
  return measureOffset(formatter, instant) === offset
}

/** The first instant in [low, high) at which `offset` applies or, for its end, stops applying. */
function findTransition(
  formatter: Intl.DateTimeFormat,
  low: number,
  high: number,
  offset: number,
  isBegin: boolean,
): number {
  let before = low
  let after = high
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isOffset(formatter, middle, offset) === isBegin) after = middle
    else before = middle
  }
  return after
}

function measureOffset(formatter: Intl.DateTimeFormat, instant: number): number {
  const second = Math.floor(instant / 1000) * 1000
  const fields: Record<string, number> = {}
  let isBeforeChrist = false
  for (const { type, value } of formatter.formatToParts(second)) {
    if (type === 'era') isBeforeChrist = value === 'BC'
    else fields[type] = Number(value)
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = fields
  const local = new Date(0)
  local.setUTCFullYear(isBeforeChrist ? 1 - year : year, month - 1, day)
  local.setUTCHours(hour, minute, seconds)
  return local.getTime() - second
}

/**
 * Whether a name is a zone of this runtime's IANA database.
 *
 * Fixed offsets such as `+02:00` are not, although some runtimes accept them: they have no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
