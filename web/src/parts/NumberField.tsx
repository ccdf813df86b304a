import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { readNumber } from './readNumber.ts'

/** A number; a text that is none, which no schema accepts; or undefined for an empty field. */
export type NumberEntry = number | string | undefined

type Props = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max'> & {
  value: NumberEntry
  onChange: (value: NumberEntry) => void
  isWhole?: boolean
  min?: number
  max?: number
  /** What is counted, in the plural. */
  unit?: string | undefined
  /** Stands in the explanation of a text that is no number. */
  example?: string
}

/**
 * Input for a number. The text stays as it was typed, and what is wrong with it is said and keeps its form from being sent:
 * `30 min` must not become 30.
 */
export function NumberField({
  value,
  onChange,
  isWhole = false,
  min = 0,
  max,
  unit,
  example,
  ...others
}: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const read = (text: string): NumberEntry =>
    text.trim() === '' ? undefined : (readNumber(text, isWhole) ?? text)
  const fault = findFault(value, { isWhole, min, max, unit, example })
  useLayoutEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault])
  return (
    <TextInput
      autoComplete="off"
      {...others}
      ref={input}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      maxLength={30}
      value={read(typed) === value ? typed : formatEntry(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(read(currentTarget.value))
      }}
      error={fault ?? others.error}
      {...(unit === undefined ? {} : showUnit(value === 1 ? unit.replace(/s$/, '') : unit))}
    />
  )
}

type Rules = {
  isWhole: boolean
  min: number
  max: number | undefined
  unit: string | undefined
  example?: string | undefined
}

/** Says what is wrong with an entry; null if nothing is, or if it is empty. */
function findFault(value: NumberEntry, { isWhole, min, max, unit, example }: Rules): string | null {
  if (value === undefined) return null
  const isInRange = typeof value === 'number' && value >= min && value <= (max ?? Number.MAX_VALUE)
  if (isInRange) return null
  if (max !== undefined)
    return isWhole ? `Enter a whole number from ${min} to ${max}` : `Enter a number from ${min} to ${max}`
  const what = isWhole ? 'a whole number' : 'a number'
  const counted = unit === undefined ? '' : ` of ${unit}`
  return `Enter ${what}${counted}, such as ${example ?? (isWhole ? '10' : '12.50')}`
}

function formatEntry(value: NumberEntry): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 18 }) : (value ?? '')
}

/** Puts the unit into the field, after the number. */
function showUnit(unit: string) {
  return {
    rightSection: (
      <Text size="sm" c="dimmed" component="span">
        {unit}
      </Text>
    ),
    rightSectionWidth: 24 + unit.length * 8,
    rightSectionPointerEvents: 'none' as const,
  }
}
