import { Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey, Endpoint, Page } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { useItems } from '../api/useItems.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { EmptyNote } from '../parts/EmptyNote.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { RowLink } from '../parts/RowLink.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Section } from '../parts/Section.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { policyNames } from './policyNames.ts'

/** The endpoints of the account's organisations, and how another one is registered. */
export function EndpointsPage() {
  const [showsAll, setShowsAll] = useState(false)
  const filters = showsAll ? { include: 'discovered,archived' } : {}
  const query = useItems<Endpoint>('/api/endpoints', filters as Record<string, string>)
  return (
    <>
      <PageHeader
        title="Endpoints"
        description="APIs, tool servers, websites and callbacks that agents come to."
      >
        <Switch
          label="Show discovered and archived"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      </PageHeader>
      <Stack gap="lg">
        <Rows query={query} empty={<NoEndpoints />}>
          {(endpoint) => (
            <RowLink
              key={endpoint.id}
              to={`/endpoints/${endpoint.svceId ?? endpoint.id}`}
              title={endpoint.name}
              about={`${endpoint.counterpartyUrl} · unverified callers: ${policyNames[endpoint.unverifiedAgentPolicy].toLowerCase()}`}
            >
              <StatusBadge value={endpoint.verificationTier} />
              <StatusBadge value={endpoint.status} />
            </RowLink>
          )}
        </Rows>
        <HowToRegister />
      </Stack>
    </>
  )
}

function NoEndpoints() {
  const keys = useAnswer<Page<ApiKey>>('/api/api-keys?limit=100')
  const hasKey = keys.data?.items.some(({ organizationId }) => organizationId !== null) ?? false
  return (
    <EmptyNote
      icon="endpoints"
      title="No endpoints yet"
      description={
        hasKey
          ? 'Register the first one with the request below and the API key of your organisation.'
          : 'An endpoint belongs to an organisation and is registered with an API key of it. Create that key first.'
      }
    >
      {!hasKey && (
        <LinkButton to="/api-keys" variant="light">
          Create an API key
        </LinkButton>
      )}
    </EmptyNote>
  )
}

function HowToRegister() {
  const code = `curl -X POST ${window.location.origin}/api/endpoints \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "counterpartyType": "api",
    "name": "Orders API",
    "counterpartyUrl": "https://api.your-company.io/v1",
    "trustScoreRequirement": 40,
    "unverifiedAgentPolicy": "deny"
  }'`
  return (
    <Section
      title="Register an endpoint"
      description="With an API key of an organisation; a personal key is refused. The answer shows the webhook secret, once."
    >
      <CodeBlock code={code} name="Registers an endpoint" />
    </Section>
  )
}
