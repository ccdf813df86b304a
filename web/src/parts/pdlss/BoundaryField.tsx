import { NativeSelect, TextInput } from '@mantine/core'
import { NumberField } from '../NumberField.tsx'
import type { PdlssField } from './boundaryDimensions.ts'
import { NamesField } from './NamesField.tsx'
import { DaysField, HoursField, TimeZoneField } from './timeFields.tsx'

type Props = {
  field: PdlssField
  value: unknown
  error?: string | undefined
  onChange: (value: unknown) => void
}

/** Input for one field of a boundary; a value that does not fit the kind of field is treated as absent. */
export function BoundaryField({ field, value, error, onChange }: Props) {
  const { label, help, placeholder, options = [], optionLabels = options, unit } = field
  const shared = { label, help, error, placeholder, onChange }
  switch (field.kind) {
    case 'names':
      return <NamesField {...shared} options={options} value={textsOf(value)} />
    case 'days':
      return <DaysField {...shared} value={textsOf(value).map(Number)} />
    case 'hours':
      return <HoursField {...shared} value={hoursOf(value)} />
    case 'timezone':
      return <TimeZoneField {...shared} value={typeof value === 'string' ? value : undefined} />
    case 'count':
    case 'money':
      return (
        <NumberField
          label={label}
          description={help}
          error={error}
          value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
          onChange={onChange}
          isWhole={field.kind === 'count'}
          max={field.max}
          unit={unit}
          example={field.example}
          placeholder="No limit"
        />
      )
    case 'currency':
      return (
        <TextInput
          label={label}
          description={help}
          error={error}
          placeholder={placeholder}
          value={typeof value === 'string' ? value : ''}
          maxLength={10}
          onChange={(event) => onChange(event.currentTarget.value.trim().toUpperCase())}
        />
      )
    case 'yesNo':
      return (
        <NativeSelect
          label={label}
          description={help}
          error={error}
          data={['Not set', 'Yes', 'No']}
          value={typeof value === 'boolean' ? (value ? 'Yes' : 'No') : 'Not set'}
          onChange={(event) => onChange(parseYesNo(event.currentTarget.value))}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          label={label}
          description={help}
          error={error}
          data={[
            { value: '', label: 'Not set' },
            ...options.map((option, at) => ({ value: option, label: optionLabels[at] ?? option })),
          ]}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

function parseYesNo(word: string): boolean | undefined {
  return word === 'Not set' ? undefined : word === 'Yes'
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function hoursOf(value: unknown): { start: number; end: number } | undefined {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown }
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined
}
