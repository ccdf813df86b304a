import { Button, Group, Paper, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { useChosenOrganisation } from '../../api/useChosenOrganisation.ts'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { RowLink } from '../../parts/lists/RowLink.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { OrganisationNote } from '../../parts/OrganisationNote.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TrustScore } from '../../parts/TrustScore.tsx'
import { navigate } from '../../router/navigate.ts'

/** The agents of the account and its organisations, and a lookup of any agent. */
export function AgentsPage() {
  const { organizationId } = useChosenOrganisation()
  const query = useApiList('GET /api/agents', { query: { organizationId } })
  return (
    <>
      <PageHeader title="Agents" description="The agents that you and your organisations own.">
        <LinkButton to="/agents/adopt" variant="default">
          Adopt agent
        </LinkButton>
        <LinkButton to="/agents/register" leftSection={<Icon name="plus" />}>
          Register agent
        </LinkButton>
      </PageHeader>
      <LookUp />
      <OrganisationNote />
      <Rows query={query} empty={<NoAgents />}>
        {(agent) => (
          <RowLink
            key={agent.svcId}
            to={`/agents/${agent.svcId}`}
            left={<TrustScore score={agent.trustScore} />}
            title={agent.name}
            about={[agent.agentType, agent.svcId].filter(Boolean).join(' · ')}
          >
            <StatusBadge value={agent.agentStatus} />
            <StatusBadge value={agent.blockchainStatus} prefix="chain" />
          </RowLink>
        )}
      </Rows>
    </>
  )
}

function LookUp() {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget).get('svcId')).trim()
    if (id !== '') navigate(`/agents/${encodeURIComponent(id)}`)
  }
  return (
    <Paper withBorder p="md" mb="md" component="search">
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            name="svcId"
            label="Look up any agent"
            placeholder="SVC-…"
            required
            maxLength={64}
            style={{ flex: '1 1 220px' }}
            leftSection={<Icon name="search" size={16} />}
          />
          <Button type="submit" variant="default">
            Show
          </Button>
        </Group>
      </form>
    </Paper>
  )
}

function NoAgents() {
  return (
    <EmptyNote
      icon="agents"
      title="No agents yet"
      description="An agent is registered with a request signed by its owner’s key; no account or gas is needed. Anyone can then look up its public record here by its identifier."
    >
      <LinkButton to="/agents/register" variant="light">
        Register your first agent
      </LinkButton>
    </EmptyNote>
  )
}
