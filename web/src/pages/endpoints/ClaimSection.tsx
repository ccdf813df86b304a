import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Section } from '../../parts/Section.tsx'
import { useWritableOrganisations } from './useWritableOrganisations.ts'

type Claimed = { svceId: string; webhookSecret: string; endpoint: Endpoint }
type Props = { endpoint: Endpoint; onClaimed: (claimed: Claimed) => void }

/** Claims a discovered endpoint for one of the organisations. Spec: Endpoint dashboard actions. */
export function ClaimSection({ endpoint, onClaimed }: Props) {
  const path = `/api/endpoints/${endpoint.id}`
  const organisations = useWritableOrganisations()
  const change = useApiMutation<Claimed>({ invalidates: [path, '/api/endpoints'], onDone: onClaimed })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name, organizationId } = Object.fromEntries(new FormData(event.currentTarget))
    change.mutate({ method: 'POST', path: `${path}/claim`, body: { name, organizationId } })
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
            <Group grow align="flex-end" preventGrowOverflow={false}>
              <TextInput name="name" label="Name" defaultValue={endpoint.name} required maxLength={200} />
              <NativeSelect
                name="organizationId"
                label="Organisation"
                data={(organisations ?? []).map((one) => ({ value: one.organizationId, label: one.name }))}
              />
            </Group>
            <FailureNote error={change.error} />
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
