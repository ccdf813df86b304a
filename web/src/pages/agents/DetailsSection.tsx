import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import type { Agent } from '@svc/core/contract/agents.ts'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'

/**
 * Edits the mutable details of an agent. Spec: PATCH on an agent.
 *
 * Sends only the edited fields, because someone else may have changed the others in the meantime.
 */
export function DetailsSection({ agent }: { agent: Agent }) {
  const id = agent.svcId
  const change = useApiMutation('PATCH /api/agents/:id', {
    invalidates: [['GET /api/agents/:id', { id }], 'GET /api/agents'],
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const typed = {
      name: data.get('agentName'),
      description: data.get('description'),
      image: data.get('image'),
    }
    const texts = Object.entries(typed).map(([name, text]) => [name, String(text).trim() || null] as const)
    const changed = texts.filter(([name, text]) => text !== (agent[name as keyof typeof typed] ?? null))
    change.mutate({ params: { id }, body: Object.fromEntries(changed) })
  }
  return (
    <Section
      title="Name and description"
      description="Visible to everyone. Model, framework, type, challenge URL and boundary cannot be changed."
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
            label="Picture URL"
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
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
