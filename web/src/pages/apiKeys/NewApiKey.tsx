import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { Organization } from '@svc/core/contract/accounts.ts'
import type { FormEvent } from 'react'
import type { useApiMutation } from '../../api/useApiMutation.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { isWritable } from '../../parts/forms/isWritable.ts'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

const PERSONAL = ''

type Props = {
  /** Creates the key; owned by the surrounding dialog, which must stay open meanwhile. */
  change: ReturnType<typeof useApiMutation<'POST /api/api-keys'>>
  organisations: Organization[]
  onClose: () => void
}

/** Form that creates an API key and then shows it once. */
export function NewApiKey({ change, organisations, onClose }: Props) {
  const faults = readFaults(change.error, { name: 'Name', organizationId: 'Acts for' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name, context } = readFields(event.currentTarget, 'name', 'context')
    const body = context === PERSONAL ? { name } : { name, organizationId: context }
    change.mutate({ body })
  }
  if (change.data) return <NewKey apiKey={change.data.key} onClose={onClose} />
  const active = organisations.filter(isWritable)
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="name"
          label="Name"
          description="For example the server that uses it"
          required
          maxLength={200}
          data-autofocus
          error={faults.at.name}
        />
        <NativeSelect
          name="context"
          label="Acts for"
          error={faults.at.organizationId}
          data={[
            ...active.map(({ organizationId, name }) => ({ value: organizationId, label: name })),
            { value: PERSONAL, label: 'Only me (personal)' },
          ]}
        />
        {active.length === 0 && (
          <Text size="sm" c="dimmed">
            A personal key cannot register endpoints.{' '}
            <TextLink to="/organisations">Create an organisation</TextLink> first if you need that.
          </Text>
        )}
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Stack>
      <Alert
        color="orange"
        icon={<Icon name="warning" />}
        title="Save the key now: it will not be shown again"
      >
        The service stores only a hash. Anyone who has the key can act for you, so keep it out of code and
        logs.
      </Alert>
      <CopyText text={apiKey} name="API key" />
      <Group justify="flex-end">
        <Button onClick={onClose}>I have saved it</Button>
      </Group>
    </Stack>
  )
}
