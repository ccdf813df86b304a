import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Section } from '../../parts/Section.tsx'
import { RegistrationFailure } from './RegistrationFailure.tsx'
import { useWritableOrganisations } from './useWritableOrganisations.ts'

type Claimed = AnswerOf<'POST /api/endpoints/:id/claim'>
type Props = { endpoint: Endpoint; onClaimed: (claimed: Claimed) => void }

/** Claims a discovered endpoint for one of the organisations. Spec: Endpoint dashboard actions. */
export function ClaimSection({ endpoint, onClaimed }: Props) {
  const { id } = endpoint
  const organisations = useWritableOrganisations()
  const change = useApiMutation('POST /api/endpoints/:id/claim', {
    invalidates: [['GET /api/endpoints/:id', { id }], 'GET /api/endpoints'],
    onDone: onClaimed,
  })
  const faults = readFaults(change.error, { name: 'Name', organizationId: 'Organisation' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = readFields(event.currentTarget, 'name', 'organizationId')
    change.mutate({ params: { id }, body })
  }
  return (
    <Section
      title="Claim this endpoint"
      description="Your servers requested decisions for this URL without registering it. Claiming gives it an identifier and a webhook secret, keeps its history, and reserves the URL for you."
    >
      {organisations?.length === 0 ? (
        <Stack align="flex-start">
          <Text>An endpoint belongs to an organisation, and you are not in one yet.</Text>
          <LinkButton to="/organisations" variant="light">
            Create organisation
          </LinkButton>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Group grow align="flex-start" preventGrowOverflow={false}>
              <TextInput
                name="name"
                label="Name"
                defaultValue={endpoint.name}
                required
                maxLength={200}
                error={faults.at.name}
              />
              <NativeSelect
                name="organizationId"
                label="Organisation"
                error={faults.at.organizationId}
                data={(organisations ?? []).map((one) => ({ value: one.organizationId, label: one.name }))}
              />
            </Group>
            <RegistrationFailure
              faults={faults}
              isPending={change.isPending}
              onRetry={() => change.variables && change.mutate(change.variables)}
            />
            <Group>
              <Button type="submit" loading={change.isPending} disabled={organisations === undefined}>
                Claim endpoint
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  )
}
