import { Button, Group, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useChange } from '../../api/useChange.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'

/** Changes the name of an endpoint and the trust score that it asks for. Spec: PUT /api/endpoints/:id. */
export function DetailsSection({ endpoint }: { endpoint: Endpoint }) {
  const [name, setName] = useState(endpoint.name)
  const [score, setScore] = useState<number | string>(endpoint.trustScoreRequirement)
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const change = useChange({ touches: [path, '/api/endpoints'] })
  const isChanged = name !== endpoint.name || score !== endpoint.trustScoreRequirement
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ method: 'PUT', path, body: { name, trustScoreRequirement: Number(score) } })
  }
  return (
    <Section
      title="Name and trust score"
      description="An agent below the score gets restricted access where callers without identity may come in, none otherwise."
    >
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            style={{ flex: '1 1 220px' }}
          />
          <NumberInput
            label="Trust score required"
            min={0}
            max={100}
            allowDecimal={false}
            required
            value={score}
            onChange={setScore}
            w={200}
          />
          <Button type="submit" disabled={!isChanged} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </form>
      <FailureNote error={change.error} />
    </Section>
  )
}
