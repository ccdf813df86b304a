import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import type { Agent } from '../../api/types.ts'
import { useChange } from '../../api/useChange.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'

/** Changes what may change about an agent. Spec: PATCH on an agent. */
export function DetailsSection({ agent }: { agent: Agent }) {
  const path = `/api/agents/${agent.svcId}`
  const change = useChange({ touches: [path, '/api/agents'] })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name)).trim() || null
    const body = { name: text('agentName'), description: text('description'), image: text('image') }
    change.mutate({ method: 'PATCH', path, body })
  }
  return (
    <Section
      title="Name and description"
      description="What anybody sees. Model, framework, type, challenge URL and boundary never change."
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="agentName" label="Name" defaultValue={agent.name} required maxLength={200} />
          <Textarea
            name="description"
            label="Description"
            defaultValue={agent.description ?? ''}
            maxLength={2000}
            autosize
            minRows={2}
          />
          <TextInput
            name="image"
            label="Picture"
            description="Its address"
            type="url"
            placeholder="https://…"
            defaultValue={agent.image ?? ''}
            maxLength={2048}
          />
          <FailureNote error={change.error} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
            {change.isSuccess && <span role="status">Saved.</span>}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
