import { Group, Stack, Textarea } from '@mantine/core'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { useState } from 'react'
import type { Boundary } from '../../api/types.ts'
import { CopyText } from '../CopyText.tsx'

type Props = { boundary: Boundary; problems: readonly FieldError[]; onChange: (boundary: Boundary) => void }

/** The boundary as JSON, to copy or to paste; a text that is no JSON object changes nothing. */
export function BoundaryJson({ boundary, problems, onChange }: Props) {
  const [text, setText] = useState(() => JSON.stringify(boundary, null, 2))
  const [syntax, setSyntax] = useState<string | null>(null)
  const edit = (next: string) => {
    setText(next)
    const parsed = parsedObject(next)
    setSyntax(parsed === null ? 'This is no JSON object. The form keeps what it has.' : null)
    if (parsed !== null) onChange(parsed)
  }
  const found = problems.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
  return (
    <Stack gap="xs">
      <Textarea
        label="PDLSS as JSON"
        description="Copy it, or paste one; the form follows."
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

function parsedObject(text: string): Boundary | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Boundary) : null
  } catch {
    return null
  }
}
