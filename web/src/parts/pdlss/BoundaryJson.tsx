import { Group, Stack, Textarea } from '@mantine/core'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { useState } from 'react'
import { CopyText } from '../code/CopyText.tsx'
import type { Boundary } from './boundaryDimensions.ts'

type Props = { boundary: Boundary; problems: readonly FieldError[]; onChange: (boundary: Boundary) => void }

/** Edits the boundary as JSON; invalid JSON is reported and changes nothing. */
export function BoundaryJson({ boundary, problems, onChange }: Props) {
  const [text, setText] = useState(() => JSON.stringify(boundary, null, 2))
  const [syntax, setSyntax] = useState<string | null>(null)
  const edit = (next: string) => {
    setText(next)
    const parsed = parseObject(next)
    setSyntax(parsed === null ? 'This is not a JSON object. The form is unchanged.' : null)
    if (parsed !== null) onChange(parsed)
  }
  const found = problems.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
  return (
    <Stack gap="xs">
      <Textarea
        label="PDLSS as JSON"
        description="Copy, paste or edit; the form is updated to match."
        value={text}
        onChange={(event) => edit(event.currentTarget.value)}
        error={syntax ?? (found || undefined)}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        styles={{
          input: { fontFamily: 'var(--mantine-font-family-monospace)' },
          error: { whiteSpace: 'pre-line' },
        }}
      />
      <Group justify="flex-end" gap={4}>
        <CopyText text={text.length > 40 ? `${text.length} characters` : text} copies={text} name="JSON" />
      </Group>
    </Stack>
  )
}

function parseObject(text: string): Boundary | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Boundary) : null
  } catch {
    return null
  }
}
