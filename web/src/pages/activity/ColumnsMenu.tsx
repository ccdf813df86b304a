import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { ACTIVITY_COLUMNS, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { COLUMNS } from './activityColumns.tsx'

type Props = {
  columns: readonly ActivityColumn[]
  onChange: (columns: readonly ActivityColumn[]) => void
}

/** Chooses the columns of the activity; the last one cannot be removed. */
export function ColumnsMenu({ columns, onChange }: Props) {
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default">Columns</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {ACTIVITY_COLUMNS.map((column) => (
            <Checkbox
              key={column}
              label={COLUMNS[column].label}
              checked={columns.includes(column)}
              disabled={columns.length === 1 && columns.includes(column)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...columns, column] : columns.filter((shown) => shown !== column))
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
