// Own code, measured: @mantine/charts with recharts adds 133 kB compressed to the page, for one plain drawing.
import { Suspense } from 'react'
import { loadLater } from '../../router/loadLater.ts'
import classes from '../Chart.module.css'
import { formatBarTime } from './formatBarTime.ts'
import { type Bar, OUTCOMES, type Period } from './groupDecisions.ts'

const WIDTH = 720
const HEIGHT = 180
/** Space for the scale on the left and the times below. */
const LEFT = 44
const BOTTOM = 22
const TOP = 8

type Props = { bars: readonly Bar[]; period: Period; asTable: boolean }

// What a table needs is a sixth of the code of the overview.
const DecisionsTable = loadLater(async () => (await import('./DecisionsTable.tsx')).DecisionsTable)

/** Decisions over time, as a stacked bar chart or as a table. */
export function DecisionsChart({ bars, period, asTable }: Props) {
  if (!asTable) return <BarChart bars={bars} period={period} />
  return (
    <Suspense fallback={null}>
      <DecisionsTable bars={bars.filter((bar) => totalOf(bar) > 0)} period={period} />
    </Suspense>
  )
}

function BarChart({ bars, period }: Omit<Props, 'asTable'>) {
  const top = findScaleTop(Math.max(...bars.map(totalOf)))
  const step = (WIDTH - LEFT) / bars.length
  const heightOf = (count: number) => (count / top) * (HEIGHT - TOP - BOTTOM)
  const base = HEIGHT - BOTTOM
  const total = bars.reduce((sum, bar) => sum + totalOf(bar), 0)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.chart}
      data-period={period}
      role="img"
      aria-label={`${total} decisions, by ${period === 'day' ? 'hour' : 'day'}; the table lists the numbers`}
    >
      {[0, top / 2, top].map((count) => (
        <g key={count}>
          <line
            x1={LEFT}
            x2={WIDTH}
            y1={base - heightOf(count)}
            y2={base - heightOf(count)}
            className={classes.line}
          />
          <text x={LEFT - 8} y={base - heightOf(count) + 4} textAnchor="end" className={classes.text}>
            {count.toLocaleString('en')}
          </text>
        </g>
      ))}
      {bars.map((bar, at) => (
        <g key={bar.start.getTime()}>
          <title>{`${formatBarTime(bar.start, period)}: ${describeBar(bar)}`}</title>
          <rect x={LEFT + at * step} y={TOP} width={step} height={base - TOP} fill="transparent" />
          {stackOutcomes(bar).map(({ name, color, count, below }) => (
            <rect
              key={name}
              x={LEFT + at * step + step * 0.15}
              width={step * 0.7}
              y={base - heightOf(below + count)}
              height={Math.max(0, heightOf(count) - 1)}
              fill={`var(--mantine-color-${color}-6)`}
              rx={1.5}
            />
          ))}
          {isLabelled(at, bars.length, period) && (
            <text
              x={LEFT + (at + (at === bars.length - 1 ? 1 : 0.5)) * step}
              y={HEIGHT - 6}
              textAnchor={at === bars.length - 1 ? 'end' : 'middle'}
              className={classes.text}
              data-spare={(bars.length - 1 - at) % 8 !== 0 || undefined}
            >
              {formatBarTime(bar.start, period)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

/** Splits a bar into its outcomes, each with the total below it. */
function stackOutcomes({ counts }: Bar) {
  let below = 0
  return OUTCOMES.map((outcome) => {
    const part = { ...outcome, count: counts[outcome.name], below }
    below += part.count
    return part
  })
}

function totalOf({ counts }: Bar): number {
  return OUTCOMES.reduce((sum, { name }) => sum + counts[name], 0)
}

function describeBar({ counts }: Bar): string {
  const parts = OUTCOMES.filter(({ name }) => counts[name] > 0)
  return parts.map(({ name, label }) => `${label} ${counts[name]}`).join(', ') || 'none'
}

/** Finds an even round number at or above the highest bar, so that half of it is whole. */
function findScaleTop(highest: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, highest))))
  const factor = [2, 4, 6, 8, 10].find((one) => one * step >= highest) ?? 10
  return factor * step
}

/** Every how many bars one has a label, so that labels do not overlap; of hours, a phone shows every second of them. */
const LABELLED_EVERY = { day: 4, week: 1, month: 7 } as const

function isLabelled(at: number, count: number, period: Period): boolean {
  return (count - 1 - at) % LABELLED_EVERY[period] === 0
}
