import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useChosenOrganisation } from '../../api/useChosenOrganisation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { isWritable } from '../../parts/forms/isWritable.ts'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { Section } from '../../parts/Section.tsx'
import type { Adoption } from './adoption.ts'

const MYSELF = ''

/** Asks which agent is adopted, and for whom; the service reads it from its chain. */
export function TokenForm({ onFound }: { onFound: (adoption: Adoption) => void }) {
  const { organisations, chosenFirst } = useChosenOrganisation()
  const read = useApiMutation('POST /api/agents/adopt/statement')
  const faults = readFaults(read.error, { token: 'Token' })
  const owners = chosenFirst(organisations.filter(isWritable))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const organizationId = String(fields.get('organizationId') ?? MYSELF)
    const asked = {
      token: String(fields.get('token')).trim(),
      ...(organizationId === MYSELF ? {} : { organizationId }),
    }
    read.mutate({ body: asked }, { onSuccess: (found) => onFound({ asked, found }) })
  }
  return (
    <Section
      title="Which agent"
      description="The service reads its token, its owner and its registration file."
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="token"
            label="Token"
            description="The chain, the registry’s address and the agent’s number"
            placeholder="eip155:8453:0x8004…/22"
            required
            maxLength={120}
            error={faults.at.token}
          />
          {owners.length > 0 && (
            <NativeSelect
              name="organizationId"
              label="Adopt it for"
              data={[
                { value: MYSELF, label: 'My account' },
                ...owners.map((one) => ({ value: one.organizationId, label: one.name })),
              ]}
            />
          )}
          <FormFailure faults={faults} />
          <Group>
            <Button type="submit" loading={read.isPending}>
              Read the agent
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            Which registries are accepted is up to the operator of this service:{' '}
            <Anchor href="/docs/foreign-agents" underline="always">
              agents of other registries
            </Anchor>
            .
          </Text>
        </Stack>
      </form>
    </Section>
  )
}
