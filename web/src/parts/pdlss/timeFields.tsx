import { Chip, Group, Input, NativeSelect, Select, Text } from '@mantine/core'

type Props<Value, Changed = Value> = {
  label: string
  help: string
  value: Value
  error?: string | undefined
  onChange: (value: Changed) => void
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** Weeks start on Monday here, although day 0 is Sunday. */
const ORDER = [1, 2, 3, 4, 5, 6, 0]

/** Toggles for the days of the week. */
export function DaysField({ label, help, value, error, onChange }: Props<readonly number[], number[]>) {
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

type Hours = { start: number; end: number }

const toOption = (at: number) => ({ value: String(at), label: `${String(at).padStart(2, '0')}:00` })
const STARTS = [{ value: '', label: 'Any' }, ...Array.from({ length: 24 }, (_, at) => toOption(at))]
const ENDS = Array.from({ length: 25 }, (_, at) => toOption(at))

/** A half-open window of hours of the day, which may span midnight. */
export function HoursField({ label, help, value, error, onChange }: Props<Hours | undefined>) {
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

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** A searchable list of IANA time zones. */
export function TimeZoneField({
  label,
  help,
  value,
  error,
  onChange,
}: Props<string | undefined, string | null>) {
  const known = value === undefined || ZONES.includes(value) ? ZONES : [value, ...ZONES]
  return (
    <Select
      label={label}
      description={help}
      data={known}
      value={value ?? null}
      onChange={onChange}
      error={error}
      placeholder="UTC"
      searchable
      limit={60}
      nothingFoundMessage="No matching time zone"
    />
  )
}
