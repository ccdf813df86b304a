import { Alert, List, Stack, TextInput } from '@mantine/core'
import { type ParsedMrz, parseMrz } from '@svc/core/kyd/parseMrz.ts'
import { useState } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import { KYD_LABELS } from './kydFields.ts'

const LINE_CHARS = 44
const LINES = ['First line', 'Second line'] as const
const PLACEHOLDERS = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F3504159ZE184226B<<<<<10',
]

type Props = {
  today: string
  /** What the service has found wrong with each line. */
  faults: readonly [string | undefined, string | undefined]
  onChange: (mrz: string) => void
}

/** The two lines of a passport's machine-readable zone, validated while typing; both may be pasted into the first field. */
export function MrzInput({ today, faults, onChange }: Props) {
  const [lines, setLines] = useState<readonly [string, string]>(['', ''])
  const change = (index: number, typed: string) => {
    const text = typed.replace(/\s/g, '').toUpperCase()
    const next: [string, string] = index === 0 ? [text, lines[1]] : [lines[0], text]
    if (index === 0 && text.length === 2 * LINE_CHARS) {
      next[0] = text.slice(0, LINE_CHARS)
      next[1] = text.slice(LINE_CHARS)
    }
    setLines(next)
    onChange(next.join('\n'))
  }
  const isComplete = lines.every((line) => line.length >= LINE_CHARS)
  return (
    <Stack gap="sm">
      {LINES.map((label, index) => (
        <TextInput
          key={label}
          label={label}
          description={`${(lines[index] ?? '').length} of ${LINE_CHARS} characters`}
          placeholder={PLACEHOLDERS[index] ?? ''}
          value={lines[index] ?? ''}
          error={faults[index]}
          onChange={(event) => change(index, event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={200}
          styles={{ input: { fontFamily: 'monospace', fontSize: 'clamp(10px, 2.6vw, 15px)' } }}
        />
      ))}
      <div role="status">{isComplete && <Findings parsed={parseMrz(lines.join('\n'), today)} />}</div>
    </Stack>
  )
}

function Findings({ parsed }: { parsed: ParsedMrz }) {
  if (!parsed.ok) {
    return (
      <Alert color="orange" icon={<Icon name="warning" />} title="Please check these">
        <List size="sm">
          {parsed.errors.map(({ pointer, message }) => (
            <List.Item key={pointer + message}>
              {KYD_LABELS[pointer.slice(1)]}: {message}
            </List.Item>
          ))}
        </List>
      </Alert>
    )
  }
  const { givenNames, surname, expiryDate } = parsed.facts
  return (
    <Alert color="teal" icon={<Icon name="check" />} title="The check digits match">
      {givenNames} {surname}, valid until {expiryDate}
    </Alert>
  )
}
