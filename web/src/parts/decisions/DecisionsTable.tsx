import { Box, Table } from '@mantine/core'
import classes from '../Chart.module.css'
import { formatBarTime } from './formatBarTime.ts'
import { type Bar, OUTCOMES, type Period } from './groupDecisions.ts'

/** Decisions over time as a table, the latest first. */
export function DecisionsTable({ bars, period }: { bars: readonly Bar[]; period: Period }) {
  const rows = bars.toReversed()
  return (
    <Box className={classes.table} tabIndex={0} role="region" aria-label="Decisions over time, as a table">
      <Table withRowBorders fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{period === 'day' ? 'Hour' : 'Day'}</Table.Th>
            {OUTCOMES.map(({ name, label }) => (
              <Table.Th key={name} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((bar) => (
            <Table.Tr key={bar.start.getTime()}>
              <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                {formatBarTime(bar.start, period)}
              </Table.Th>
              {OUTCOMES.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {bar.counts[name].toLocaleString('en')}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
