import { Chip, Group, Input } from '@mantine/core'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** Weeks are read from Monday on; 0 is Sunday all the same. */
const ORDER = [1, 2, 3, 4, 5, 6, 0]

type Props = {
  label: string
  help: string
  value: readonly number[]
  error?: string | undefined
  onChange: (days: number[]) => void
}

/** The days of a week, each on or off. */
export function DaysField({ label, help, value, error, onChange }: Props) {
  return (
    <Input.Wrapper label={label} description={help} error={error} labelElement="div">
      <Chip.Group
        multiple
        value={value.map(String)}
        onChange={(days) => onChange(days.map(Number).sort((left, right) => left - right))}
      >
        <Group gap={6} mt={6} role="group" aria-label={label}>
          {ORDER.map((day) => (
            <Chip key={day} value={String(day)} size="xs" radius="sm">
              {DAYS[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
