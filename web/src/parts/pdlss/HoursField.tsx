import { Group, Input, NativeSelect, Text } from '@mantine/core'

type Hours = { start: number; end: number }

type Props = {
  label: string
  help: string
  value: Hours | undefined
  error?: string | undefined
  onChange: (hours: Hours | undefined) => void
}

const hour = (at: number) => ({ value: String(at), label: `${String(at).padStart(2, '0')}:00` })
const STARTS = [{ value: '', label: 'Any' }, ...Array.from({ length: 24 }, (_, at) => hour(at))]
const ENDS = Array.from({ length: 25 }, (_, at) => hour(at))

/** A window of hours of the day, half-open; it may span midnight. */
export function HoursField({ label, help, value, error, onChange }: Props) {
  const begin = (start: string) =>
    onChange(start === '' ? undefined : { start: Number(start), end: value?.end ?? 24 })
  return (
    <Input.Wrapper label={label} description={help} error={error} labelElement="div">
      <Group gap="xs" mt={6} wrap="nowrap">
        <NativeSelect
          aria-label={`${label}, from`}
          data={STARTS}
          value={value === undefined ? '' : String(value.start)}
          onChange={(event) => begin(event.currentTarget.value)}
        />
        {value && (
          <>
            <Text size="sm">to</Text>
            <NativeSelect
              aria-label={`${label}, to`}
              data={ENDS}
              value={String(value.end)}
              onChange={(event) => onChange({ start: value.start, end: Number(event.currentTarget.value) })}
            />
            {value.start > value.end && (
              <Text size="sm" c="dimmed">
                the next day
              </Text>
            )}
          </>
        )}
      </Group>
    </Input.Wrapper>
  )
}
