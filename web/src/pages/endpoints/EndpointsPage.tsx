import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowLink } from '../../parts/RowLink.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { policyNames } from './policyNames.ts'

const VIEWS = {
  claimed: { label: 'Claimed', only: '' },
  discovered: { label: 'To claim', only: 'claimable' },
  archived: { label: 'Archived', only: 'archived' },
} as const

type View = keyof typeof VIEWS

/** The endpoints of the account's organisations: those it has, those it can claim, and those that are over. */
export function EndpointsPage() {
  const [view, setView] = useState<View>('claimed')
  const query = useApiList<Endpoint>('/api/endpoints', { only: VIEWS[view].only })
  return (
    <>
      <PageHeader
        title="Endpoints"
        description="APIs, tool servers, websites and callbacks that agents come to."
      >
        <LinkButton to="/endpoints/register" leftSection={<Icon name="plus" />}>
          Register an endpoint
        </LinkButton>
      </PageHeader>
      <Stack gap="md">
        <SegmentedControl
          aria-label="Which endpoints"
          data={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
          value={view}
          onChange={(next) => setView(next as View)}
          style={{ alignSelf: 'flex-start' }}
        />
        <Rows query={query} empty={<NoEndpoints view={view} />}>
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
      </Stack>
    </>
  )
}

function NoEndpoints({ view }: { view: View }) {
  if (view === 'archived') {
    return (
      <EmptyNote
        icon="endpoints"
        title="None archived"
        description="An endpoint is deactivated first and archived then, both on its own page. Its audit records stay."
      />
    )
  }
  if (view === 'discovered') {
    return (
      <EmptyNote
        icon="endpoints"
        title="Nothing to claim"
        description="When your servers ask for a decision at an address that is not registered, it appears here. Claim it to set its policy."
      />
    )
  }
  return (
    <EmptyNote
      icon="endpoints"
      title="No endpoints yet"
      description="Register the address that agents come to. Addresses at which your servers have asked already can be claimed instead."
    >
      <LinkButton to="/endpoints/register" variant="light">
        Register the first one
      </LinkButton>
    </EmptyNote>
  )
}
