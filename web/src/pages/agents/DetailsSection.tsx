import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import type { Agent } from '@svc/core/contract/agents.ts'
import { type FormEvent, useState } from 'react'
import { readSettings } from '../../api/readSettings.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Section } from '../../parts/Section.tsx'

type Edits = { name?: string; description?: string; image?: string }

/**
 * Edits the mutable details of an agent. Spec: PATCH on an agent.
 *
 * Fields that were not edited follow the stored value and are not sent, because someone else may have changed them.
 */
export function DetailsSection({ agent }: { agent: Agent }) {
  const [edits, setEdits] = useState<Edits>({})
  const id = agent.svcId
  const change = useApiMutation('PATCH /api/agents/:id', {
    invalidates: [['GET /api/agents/:id', { id }], 'GET /api/agents'],
    onDone: () => setEdits({}),
    undo: {
      read: () => readSettings('GET /api/agents/:id', { params: { id } }, (answer) => answer.agent),
      settingsOf: (answer) => answer.agent,
    },
  })
  const faults = readFaults(change.error, { name: 'Name', description: 'Description', image: 'Picture URL' })
  const texts = Object.entries(edits).map(([name, text]) => [name, text.trim() || null] as const)
  const changed = texts.filter(([name, text]) => text !== (agent[name as keyof Edits] ?? null))
  useLeaveGuard(changed.length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ params: { id }, body: Object.fromEntries(changed) })
  }
  const fieldOf = (name: keyof Edits) => ({
    value: edits[name] ?? agent[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setEdits({ ...edits, [name]: event.currentTarget.value }),
    error: faults.at[name],
  })
  return (
    <Section
      title="Name and description"
      description="Visible to everyone. Model, framework, type, challenge URL and boundary cannot be changed."
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="agentName" label="Name" {...fieldOf('name')} required maxLength={200} />
          <Textarea
            name="description"
            label="Description"
            {...fieldOf('description')}
            maxLength={2000}
            autosize
            minRows={2}
          />
          <TextInput
            name="image"
            label="Picture URL"
            type="url"
            placeholder="https://…"
            {...fieldOf('image')}
            maxLength={2048}
          />
          <FormFailure faults={faults} />
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
