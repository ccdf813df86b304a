import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
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
import { POLICY_NAMES } from './policyNames.ts'

const VIEWS = {
  claimed: { label: 'Claimed', only: '' },
  discovered: { label: 'Unclaimed', only: 'claimable' },
  archived: { label: 'Archived', only: 'archived' },
} as const

type View = keyof typeof VIEWS

/** The endpoints of the account's organisations: claimed, claimable and archived. */
export function EndpointsPage() {
  const [view, setView] = useState<View>('claimed')
  const { organizationId } = useChosenOrganisation()
  const query = useApiList('GET /api/endpoints', { query: { only: VIEWS[view].only, organizationId } })
  return (
    <>
      <PageHeader
        title="Endpoints"
        description="APIs, tool servers, websites and callbacks that agents access."
      >
        <LinkButton to="/endpoints/register" leftSection={<Icon name="plus" />}>
          Register endpoint
        </LinkButton>
      </PageHeader>
      <Stack gap="md">
        <SegmentedControl
          aria-label="Filter endpoints"
          data={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
          value={view}
          onChange={(next) => setView(next as View)}
          style={{ alignSelf: 'flex-start' }}
        />
        <OrganisationNote />
        <Rows query={query} empty={<NoEndpoints view={view} />}>
          {(endpoint) => (
            <RowLink
              key={endpoint.id}
              to={`/endpoints/${endpoint.svceId ?? endpoint.id}`}
              title={endpoint.name}
              about={`${endpoint.counterpartyUrl} · unidentified callers: ${POLICY_NAMES[endpoint.unverifiedAgentPolicy].toLowerCase()}`}
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
        title="No archived endpoints"
        description="An endpoint can be archived on its own page once it is deactivated. Its audit records remain."
      />
    )
  }
  if (view === 'discovered') {
    return (
      <EmptyNote
        icon="endpoints"
        title="Nothing to claim"
        description="When your servers request a decision for an unregistered URL, it appears here. Claim it to set its policy."
      />
    )
  }
  return (
    <EmptyNote
      icon="endpoints"
      title="No endpoints yet"
      description="Register the URL that agents access. URLs that your servers have already requested decisions for can be claimed instead."
    >
      <LinkButton to="/endpoints/register" variant="light">
        Register your first endpoint
      </LinkButton>
    </EmptyNote>
  )
}
