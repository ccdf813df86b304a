import { Select } from '@mantine/core'

type Props = {
  label: string
  help: string
  value: string | undefined
  error?: string | undefined
  onChange: (zone: string | null) => void
}

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** A time zone of the IANA database, found by typing a part of its name. */
export function TimeZoneField({ label, help, value, error, onChange }: Props) {
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
      nothingFoundMessage="No such zone"
    />
  )
}
