import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { UNVERIFIED_AGENT_POLICIES } from '@svc/core/access/facts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Boundary, Organization } from '../../api/types.ts'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { SecretOnce } from '../../parts/SecretOnce.tsx'
import { Section } from '../../parts/Section.tsx'
import { policyNames } from './policyNames.ts'
import { type RegisteredEndpoint, registerEndpoint } from './registerEndpoint.ts'
import { useWritableOrganisations } from './useWritableOrganisations.ts'

const TYPES = [
  { value: 'api', label: 'API' },
  { value: 'mcp_server', label: 'MCP server' },
  { value: 'website', label: 'Website' },
  { value: 'agent', label: 'Agent callback' },
]

/** Registers an endpoint by a form, and shows its secrets this once. Spec: POST /api/endpoints. */
export function RegisterEndpointPage() {
  const organisations = useWritableOrganisations()
  const [registered, setRegistered] = useState<RegisteredEndpoint | null>(null)
  return (
    <>
      <PageHeader
        title="Register an endpoint"
        description="The address that agents come to. Your server then asks here, for each request, whether it may be."
        back={{ to: '/endpoints', name: 'Endpoints' }}
      />
      {registered ? (
        <Done registered={registered} />
      ) : organisations?.length === 0 ? (
        <EmptyNote
          icon="organisations"
          title="An organisation comes first"
          description="Every endpoint belongs to an organisation, so that its members share it."
        >
          <LinkButton to="/organisations" variant="light">
            Create an organisation
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
  const queries = useQueryClient()
  const [score, setScore] = useState<number | string>(40)
  const [boundary, setBoundary] = useState<Boundary | null>(null)
  const isValid = boundary === null || findBoundaryProblems(boundary, 'endpoint').length === 0
  const registering = useMutation({
    mutationFn: ({ organizationId, ...body }: { organizationId: string }) =>
      registerEndpoint(organizationId, body),
    onSuccess: async (registered) => {
      await queries.invalidateQueries({ queryKey: ['/api/endpoints'] })
      onDone(registered)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name)).trim()
    registering.mutate({
      organizationId: text('organizationId'),
      ...{ name: text('endpointName'), counterpartyUrl: text('counterpartyUrl') },
      ...{ counterpartyType: text('counterpartyType'), unverifiedAgentPolicy: text('unverifiedAgentPolicy') },
      trustScoreRequirement: Number(score),
      ...(boundary === null ? {} : { pdlss: boundary }),
    } as { organizationId: string })
  }
  return (
    <Stack gap="lg">
      <Section title="The endpoint">
        <form onSubmit={submit} id="register-endpoint">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput name="endpointName" label="Name" placeholder="Orders API" required maxLength={200} />
            <TextInput
              name="counterpartyUrl"
              label="Address"
              type="url"
              placeholder="https://api.your-company.io/v1"
              required
              maxLength={2048}
            />
            <NativeSelect name="counterpartyType" label="Type" data={TYPES} />
            <NativeSelect
              name="organizationId"
              label="Organisation"
              data={organisations.map((one) => ({ value: one.organizationId, label: one.name }))}
            />
            <NumberInput
              label="Trust score required"
              description="A new agent stands at 45 or more"
              min={0}
              max={100}
              allowDecimal={false}
              required
              value={score}
              onChange={setScore}
            />
            <NativeSelect
              name="unverifiedAgentPolicy"
              label="Callers without identity"
              description="Can be changed at any time"
              data={UNVERIFIED_AGENT_POLICIES.map((value) => ({ value, label: policyNames[value] }))}
            />
          </SimpleGrid>
        </form>
      </Section>
      <Section
        title="Boundary"
        description="What any agent may do here at most (PDLSS). It can be set now or later; later changes take a passkey."
      >
        <Switch
          label="Set a boundary now"
          checked={boundary !== null}
          onChange={(event) => setBoundary(event.currentTarget.checked ? {} : null)}
        />
        {boundary && <PdlssEditor side="endpoint" boundary={boundary} onChange={setBoundary} />}
      </Section>
      <FailureNote error={registering.error} />
      <Stack gap="xs">
        <Group>
          <Button
            type="submit"
            form="register-endpoint"
            loading={registering.isPending}
            disabled={!isValid || organisations.length === 0}
          >
            Register the endpoint
          </Button>
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          An endpoint is registered with an API key of its organisation. One is made for that now and shown
          afterwards: your server needs it anyway.
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
        Your server sends it with every question, as the bearer token. Whoever has it acts for your
        organisation; it can be revoked under API keys.
      </SecretOnce>
      <SecretOnce secret={webhookSecret} name="webhook secret">
        With it your server checks that a webhook came from here.
      </SecretOnce>
      <Section title="Ask for the first decision">
        <CodeBlock name="Asks whether an agent may read" code={exampleOf(svceId)} />
        <Group>
          <LinkButton to={`/endpoints/${svceId}`}>Go to {endpoint.name}</LinkButton>
        </Group>
      </Section>
    </Stack>
  )
}

function exampleOf(svceId: string): string {
  return `curl -X POST ${window.location.origin}/api/agents/verify-access \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"counterpartyId": "${svceId}", "agentId": "SVC-…", "purpose": "read_data"}'`
}
