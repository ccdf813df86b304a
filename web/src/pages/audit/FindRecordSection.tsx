import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readIdentifier } from '../../find/readIdentifier.ts'
import { Section } from '../../parts/Section.tsx'
import { navigate } from '../../router/navigate.ts'

/** Opens the page of a record, which has its proof, by identifier. */
export function FindRecordSection() {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const show = () => {
    const identifier = readIdentifier(text)
    if (identifier?.of === 'uuid') navigate(`/activity/${identifier.id}`)
    else setError('Enter an identifier such as 01a1fd3a-3c9a-7d4a-9804-5872562bf65e')
  }
  return (
    <Section
      title="Check a record"
      description="The proof of any record is checked in your browser against the anchored root reported by this service. The response of verify-access contains the identifier as auditRecordId."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          show()
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Record identifier"
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setError(null)
            }}
            style={{ flex: '1 1 260px' }}
          />
          <Button type="submit" variant="default" mt={25}>
            Check record
          </Button>
        </Group>
      </form>
    </Section>
  )
}
