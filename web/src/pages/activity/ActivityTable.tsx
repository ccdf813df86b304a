import { Table, VisuallyHidden } from '@mantine/core'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { Icon } from '../../parts/Icon.tsx'
import classes from './ActivityTable.module.css'
import { changeActivityAddress } from './activityAddress.ts'
import { COLUMNS } from './activityColumns.tsx'
import { PurchaseRow } from './PurchaseRow.tsx'

type Props = {
  events: readonly ActivityItem[]
  columns: readonly ActivityColumn[]
  order: string
  /** The newest events by purchase, newest first. */
  live: ReadonlyMap<string, readonly ActivityItem[]>
}

const NONE: readonly ActivityItem[] = []

/**
 * The activity as a table, one row a purchase. Roles are stated, because a browser takes them away from rows that are laid
 * out as blocks on a phone.
 */
export function ActivityTable({ events, columns, order, live }: Props) {
  return (
    <div className={classes.frame}>
      <Table role="table" aria-label="Activity" className={classes.table} verticalSpacing={6} fz="sm">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            <Table.Th role="columnheader">
              <VisuallyHidden>Timeline</VisuallyHidden>
            </Table.Th>
            {columns.map((column) =>
              column === 'time' ? (
                <TimeHeader key={column} isOldest={order === 'oldest'} />
              ) : (
                <Table.Th key={column} role="columnheader" className={classes[COLUMNS[column].fit ?? '']}>
                  {COLUMNS[column].label}
                </Table.Th>
              ),
            )}
            <Table.Th role="columnheader">
              <VisuallyHidden>Event page</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {events.map((event) => (
            <PurchaseRow
              key={event.purchaseId}
              event={event}
              columns={columns}
              live={live.get(event.purchaseId) ?? NONE}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** The only column that can be sorted by: events are found in the order of the log. */
function TimeHeader({ isOldest }: { isOldest: boolean }) {
  return (
    <Table.Th role="columnheader" aria-sort={isOldest ? 'ascending' : 'descending'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => changeActivityAddress({ order: isOldest ? '' : 'oldest' })}
      >
        Time
        <span style={{ display: 'flex', rotate: isOldest ? '-90deg' : '90deg' }}>
          <Icon name="forward" size={12} />
        </span>
      </button>
    </Table.Th>
  )
}
