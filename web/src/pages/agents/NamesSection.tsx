import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { Agent } from '@svc/core/contract/agents.ts'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../api/callApi.ts'
import { readSettings } from '../../api/readSettings.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Section } from '../../parts/Section.tsx'
import { changeNames, type Names, restoreNames } from './changeNames.ts'

/**
 * Adds, changes and removes the names that an agent has elsewhere. Source: docs/protocols.md.
 *
 * Fields that were not edited follow the stored value and are not sent, because someone else may have changed them.
 */
export function NamesSection({ agent }: { agent: Agent }) {
  const [edits, setEdits] = useState<Names>({})
  const id = agent.svcId
  const stored: Names = agent.names ?? {}
  const change = useApiMutation('PATCH /api/agents/:id', {
    invalidates: [['GET /api/agents/:id', { id }]],
    onDone: () => setEdits({}),
    undo: {
      read: () => readSettings('GET /api/agents/:id', { params: { id } }, (answer) => answer.agent),
      settingsOf: (answer) => answer.agent,
      names: ['names'],
      restore: ({ names }, headers) =>
        callApi('PATCH /api/agents/:id', { params: { id }, headers, body: { names: restoreNames(names) } }),
    },
  })
  const names = changeNames(stored, edits)
  useLeaveGuard(Object.keys(names).length > 0)
  const faults = readFaults(change.error, { 'names/ens': 'ENS name', 'names/did': 'DID' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ params: { id }, body: names })
  }
  const fieldOf = (name: keyof Names) => ({
    name,
    value: edits[name] ?? stored[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setEdits({ ...edits, [name]: event.currentTarget.value }),
    error: faults.at[`names/${name}`],
    autoCapitalize: 'none',
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <Section
      title="Other names"
      description="Names by which programs find the agent elsewhere, visible to everyone in its registration file. They prove nothing here. Empty a field to remove the name."
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label="ENS name" placeholder="buyer.eth" {...fieldOf('ens')} maxLength={253} />
          <TextInput label="DID" placeholder="did:web:agent.example" {...fieldOf('did')} maxLength={512} />
          <FormFailure faults={faults} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Save names
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
