const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A relative time, in the language of the page; the exact time is its tooltip. */
export function When({ time }: { time: string }) {
  const date = new Date(time)
  return (
    <time dateTime={time} title={date.toLocaleString()}>
      {formatAgo(date)}
    </time>
  )
}

function formatAgo(date: Date): string {
  const seconds = (Date.now() - date.getTime()) / 1000
  if (seconds > 7 * 86_400) return date.toLocaleDateString('en-GB', { dateStyle: 'medium' })
  for (const [unit, length] of STEPS) {
    if (seconds >= length) {
      return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(
        -Math.floor(seconds / length),
        unit,
      )
    }
  }
  return 'just now'
}
