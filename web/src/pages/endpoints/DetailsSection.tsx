import { Button, Group, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'

type Typed = { name?: string; score?: number | string }

/**
 * Changes the name of an endpoint and the trust score that it asks for. Spec: PUT /api/endpoints/:id.
 *
 * What was not typed here is shown as it is stored, and not sent: somebody else may have changed it meanwhile.
 */
export function DetailsSection({ endpoint }: { endpoint: Endpoint }) {
  const [typed, setTyped] = useState<Typed>({})
  const { name = endpoint.name, score = endpoint.trustScoreRequirement } = typed
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const change = useApiMutation({ invalidates: [path, '/api/endpoints'], onDone: () => setTyped({}) })
  const body = {
    ...(name === endpoint.name ? {} : { name }),
    ...(score === endpoint.trustScoreRequirement ? {} : { trustScoreRequirement: Number(score) }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ method: 'PUT', path, body })
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
            onChange={({ currentTarget }) => setTyped({ ...typed, name: currentTarget.value })}
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
            onChange={(value) => setTyped({ ...typed, score: value })}
            w={200}
          />
          <Button type="submit" disabled={Object.keys(body).length === 0} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </form>
      <FailureNote error={change.error} />
    </Section>
  )
}
