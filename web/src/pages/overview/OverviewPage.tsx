import { SimpleGrid, Stack } from '@mantine/core'
import type { ActivityEvent, Approval, Page } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { EventRow } from '../../parts/EventRow.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { ApprovalRow } from '../approvals/ApprovalRow.tsx'
import { AnchoringSection } from '../audit/AnchoringSection.tsx'
import { DecisionsSection } from './DecisionsSection.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HealthSection } from './HealthSection.tsx'

const EVENTS_SHOWN = 6
const APPROVALS_SHOWN = 3

/** What waits, what happened of late, and whether everything works. */
export function OverviewPage() {
  const latest = useApiQuery<Page<ActivityEvent>>(`/api/activity?limit=${EVENTS_SHOWN}`, { pollMs: 15_000 })
  return (
    <>
      <PageHeader
        title="Overview"
        description="What waits for you, what was decided of late, and how it is kept."
      />
      <Stack gap="lg">
        <PendingSection />
        <FirstSteps />
        <DecisionsSection />
        <Loaded query={latest}>{({ items }) => <Latest events={items} />}</Loaded>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <AnchoringSection />
          <HealthSection />
        </SimpleGrid>
      </Stack>
    </>
  )
}

function Latest({ events }: { events: ActivityEvent[] }) {
  if (events.length === 0) return null
  return (
    <Section title="Latest events">
      <Stack gap="xs">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </Stack>
    </Section>
  )
}

/** The approvals that wait for the owner; not there while none does. */
function PendingSection() {
  const query = useApiQuery<Page<Approval>>('/api/step-up-approvals?status=pending&limit=100', {
    pollMs: 10_000,
  })
  const items = query.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section
      title={items.length === 1 ? 'A request waits for you' : `${items.length} requests wait for you`}
      description="They are held until you answer."
      right={items.length > APPROVALS_SHOWN && <TextLink to="/approvals">All of them</TextLink>}
    >
      <Stack gap="xs">
        {items.slice(0, APPROVALS_SHOWN).map((approval) => (
          <ApprovalRow key={approval.approvalId} approval={approval} />
        ))}
      </Stack>
    </Section>
  )
}
