// Own code, measured: @mantine/charts with recharts adds 133 kB compressed to the page, for one plain drawing.
import { Box, SegmentedControl, Table, Text } from '@mantine/core'
import type { TrustPoint } from '@svc/core/contract/agents.ts'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import classes from '../../parts/Chart.module.css'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'

/** The history of the agent's trust score; its components are not disclosed. Spec: Trust score rules. */
export function TrustHistorySection({ svcId }: { svcId: string }) {
  const query = useApiQuery('GET /api/agents/:id/trust-history', { params: { id: svcId } })
  const [shown, setShown] = useState('chart')
  return (
    <Section
      title="Trust score over time"
      description="Granted requests raise it and violations lower it, both temporarily; a verified owner and a complete registration raise it permanently."
      right={
        <SegmentedControl
          size="xs"
          aria-label="Show the trust score as"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      }
    >
      <Loaded query={query}>
        {({ items, current }) => (
          <>
            <TrustChart points={[...items, current]} asTable={shown === 'table'} />
            {items.length < 2 && (
              <Text size="sm" c="dimmed">
                It has not changed yet. Changes will appear here.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const WIDTH = 720
const HEIGHT = 200
/** Space for the scale on the left and the times below. */
const LEFT = 44
const BOTTOM = 28
const TOP = 10
const RIGHT = 8
/** Lower bounds of the access levels, and the ends of the scale. Spec: Trust score to access level. */
const SCALE = [0, 20, 40, 70, 100]
const DAY_MS = 86_400_000

/** Oldest first; the last point is the current score, which need not be a change. */
type Props = { points: readonly TrustPoint[] }

/** A trust score over time, as a step chart or as a table of its changes. */
function TrustChart({ points, asTable }: Props & { asTable: boolean }) {
  return asTable ? <ChangesTable points={points} /> : <StepLine points={points} />
}

function StepLine({ points }: Props) {
  const times = points.map(({ at }) => Date.parse(at))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const span = Math.max(1, last - first)
  const x = (time: number) => LEFT + ((time - first) / span) * (WIDTH - LEFT - RIGHT)
  const y = (score: number) => TOP + (1 - score / 100) * (HEIGHT - TOP - BOTTOM)
  const steps = points.map(
    ({ score }, at) =>
      `${at === 0 ? 'M' : 'H'}${x(times[at] ?? first)}${at === 0 ? ` ${y(score)}` : `V${y(score)}`}`,
  )
  const scores = points.map(({ score }) => score)
  const end = points.at(-1)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.chart}
      role="img"
      aria-label={describeScores(scores)}
    >
      {SCALE.map((score) => (
        <g key={score}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(score)} y2={y(score)} className={classes.line} />
          <text x={LEFT - 8} y={y(score) + 4} textAnchor="end" className={classes.text}>
            {score}
          </text>
        </g>
      ))}
      <path d={steps.join('')} className={classes.score} />
      {end && <circle cx={x(last)} cy={y(end.score)} r={4.5} className={classes.now} />}
      {span > 1 && (
        <text x={LEFT} y={HEIGHT - 6} className={classes.text}>
          {formatTime(first, span)}
        </text>
      )}
      <text x={WIDTH - RIGHT} y={HEIGHT - 6} textAnchor="end" className={classes.text}>
        now
      </text>
    </svg>
  )
}

function ChangesTable({ points }: Props) {
  const withPrevious = points.map(({ at, score }, index) => ({
    at,
    score,
    previous: points[index - 1]?.score,
  }))
  const changes = withPrevious.filter(({ score, previous }) => score !== previous).reverse()
  return (
    <Box className={classes.table} tabIndex={0} role="region" aria-label="Trust score over time, as a table">
      <Table withRowBorders fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Since</Table.Th>
            <Table.Th ta="right">Score</Table.Th>
            <Table.Th ta="right">Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ at, score, previous }) => (
            <Table.Tr key={at}>
              <Table.Th scope="row" fw={400}>
                {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
              </Table.Th>
              <Table.Td ta="right">{score}</Table.Td>
              <Table.Td ta="right">{previous === undefined ? '–' : formatChange(score - previous)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

function describeScores(scores: readonly number[]): string {
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)]
  const now = scores.at(-1)
  if (lowest === highest) return `Trust score ${now} out of 100, unchanged`
  return `Trust score ${now} out of 100, between ${lowest} and ${highest} over time; the table lists the changes`
}

function formatChange(change: number): string {
  return change > 0 ? `+${change}` : `−${-change}`
}

function formatTime(time: number, span: number): string {
  const date = new Date(time)
  return span < DAY_MS
    ? date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}
