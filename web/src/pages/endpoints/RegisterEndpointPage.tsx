import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { UNVERIFIED_AGENT_POLICIES } from '@svc/core/access/facts.ts'
import type { Organization } from '@svc/core/contract/accounts.ts'
import type { BodyOf } from '@svc/core/contract/operations.ts'
import { parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { SecretOnce } from '../../parts/code/SecretOnce.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { type NumberEntry, NumberField } from '../../parts/NumberField.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import type { Boundary } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { COUNTERPARTY_TYPES } from './counterpartyTypes.ts'
import { POLICY_NAMES } from './policyNames.ts'
import { RegistrationFailure } from './RegistrationFailure.tsx'
import { type RegisteredEndpoint, registerEndpoint } from './registerEndpoint.ts'
import { useWritableOrganisations } from './useWritableOrganisations.ts'

/** Form to register an endpoint; its secrets are then shown once. Spec: POST /api/endpoints. */
export function RegisterEndpointPage() {
  const organisations = useWritableOrganisations()
  const [registered, setRegistered] = useState<RegisteredEndpoint | null>(null)
  return (
    <>
      <PageHeader
        title="Register an endpoint"
        description="The URL that agents access. Your server then asks this service for a decision on each request."
        back={{ to: '/endpoints', name: 'Endpoints' }}
      />
      {registered ? (
        <Done registered={registered} />
      ) : organisations?.length === 0 ? (
        <EmptyNote
          icon="organisations"
          title="You need an organisation first"
          description="Every endpoint belongs to an organisation, whose members share it."
        >
          <LinkButton to="/organisations" variant="light">
            Create organisation
          </LinkButton>
        </EmptyNote>
      ) : (
        <Form organisations={organisations ?? []} onDone={setRegistered} />
      )}
    </>
  )
}

type FormProps = { organisations: readonly Organization[]; onDone: (registered: RegisteredEndpoint) => void }

function Form({ organisations, onDone }: FormProps) {
  const invalidate = useInvalidate()
  const [score, setScore] = useState<NumberEntry>(40)
  const [boundary, setBoundary] = useState<Boundary | null>(null)
  const [isTyped, setTyped] = useState(false)
  useLeaveGuard(isTyped || boundary !== null)
  const parsed = boundary === null ? null : parsePdlss(boundary, 'endpoint')
  const registering = useMutation({
    mutationFn: ({ organizationId, ...body }: BodyOf<'POST /api/endpoints'> & { organizationId: string }) =>
      registerEndpoint(organizationId, body),
    onSuccess: async (registered) => {
      await invalidate(['GET /api/endpoints'])
      onDone(registered)
    },
  })
  const labels = {
    name: 'Name',
    counterpartyUrl: 'URL',
    counterpartyType: 'Type',
    trustScoreRequirement: 'Required trust score',
    unverifiedAgentPolicy: 'Unidentified callers',
  }
  const { error } = registering
  const isTaken =
    error instanceof ApiFailure && error.code === 'URL_ALREADY_CLAIMED' && error.challenge === null
  const faults = readFaults(error, labels, isTaken ? { URL_ALREADY_CLAIMED: 'counterpartyUrl' } : {})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name)).trim()
    registering.mutate({
      organizationId: text('organizationId'),
      ...{ name: text('endpointName'), counterpartyUrl: text('counterpartyUrl') },
      counterpartyType: COUNTERPARTY_TYPES.find(({ value }) => value === text('counterpartyType'))?.value,
      unverifiedAgentPolicy: UNVERIFIED_AGENT_POLICIES.find((one) => one === text('unverifiedAgentPolicy')),
      trustScoreRequirement: Number(score),
      ...(parsed?.ok ? { pdlss: parsed.pdlss } : {}),
    })
  }
  return (
    <Stack gap="lg">
      <Section title="Endpoint">
        <form onSubmit={submit} onInput={() => setTyped(true)} id="register-endpoint">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              name="endpointName"
              label="Name"
              placeholder="Orders API"
              required
              maxLength={200}
              error={faults.at.name}
            />
            <TextInput
              name="counterpartyUrl"
              label="URL"
              type="url"
              placeholder="https://api.your-company.io/v1"
              required
              maxLength={2048}
              error={
                isTaken ? (
                  <>
                    {faults.at.counterpartyUrl} <TextLink to="/endpoints">Your endpoints</TextLink>
                  </>
                ) : (
                  faults.at.counterpartyUrl
                )
              }
            />
            <NativeSelect
              name="counterpartyType"
              label="Type"
              data={COUNTERPARTY_TYPES}
              error={faults.at.counterpartyType}
            />
            <NativeSelect
              name="organizationId"
              label="Organisation"
              data={organisations.map((one) => ({ value: one.organizationId, label: one.name }))}
            />
            <NumberField
              label="Required trust score"
              description="New agents start at 45 or more"
              max={100}
              isWhole
              required
              value={score}
              onChange={setScore}
              error={faults.at.trustScoreRequirement}
            />
            <NativeSelect
              name="unverifiedAgentPolicy"
              label="Unidentified callers"
              error={faults.at.unverifiedAgentPolicy}
              description="Can be changed at any time"
              data={UNVERIFIED_AGENT_POLICIES.map((value) => ({ value, label: POLICY_NAMES[value] }))}
            />
          </SimpleGrid>
        </form>
      </Section>
      <Section
        title="Boundary"
        description="The most that any agent may do here (PDLSS). You can set it now or later; later changes require a passkey."
      >
        <Switch
          label="Set a boundary now"
          checked={boundary !== null}
          onChange={(event) => setBoundary(event.currentTarget.checked ? {} : null)}
        />
        {boundary && <PdlssEditor side="endpoint" boundary={boundary} onChange={setBoundary} />}
      </Section>
      <RegistrationFailure
        faults={faults}
        isPending={registering.isPending}
        onRetry={() => registering.variables && registering.mutate(registering.variables)}
      />
      <Stack gap="xs">
        <Group>
          <Button
            type="submit"
            form="register-endpoint"
            loading={registering.isPending}
            disabled={parsed?.ok === false || organisations.length === 0}
          >
            Register endpoint
          </Button>
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          Registering requires an API key of the organisation. A new key will be created and shown to you
          afterwards; your server will need it.
        </Text>
      </Stack>
    </Stack>
  )
}

function Done({ registered }: { registered: RegisteredEndpoint }) {
  const { svceId, webhookSecret, key, endpoint } = registered
  return (
    <Stack gap="lg">
      <SecretOnce secret={key} name="API key">
        Your server sends it as the bearer token with every request. Anyone who has it can act for your
        organisation; you can revoke it under API keys.
      </SecretOnce>
      <SecretOnce secret={webhookSecret} name="webhook secret">
        Your server needs it to verify the signature of webhooks.
      </SecretOnce>
      <Section title="Request your first decision">
        <CodeBlock name="Check whether an agent may read data" code={buildExample(svceId)} />
        <Group>
          <LinkButton to={`/endpoints/${svceId}`}>Go to {endpoint.name}</LinkButton>
        </Group>
      </Section>
    </Stack>
  )
}

function buildExample(svceId: string): string {
  return `curl -X POST ${window.location.origin}/api/agents/verify-access \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"counterpartyId": "${svceId}", "agentId": "SVC-…", "purpose": "read_data"}'`
}
