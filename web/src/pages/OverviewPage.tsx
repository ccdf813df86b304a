import { SimpleGrid, Stack } from '@mantine/core'
import type { ActivityEvent, Page } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { EventRow } from '../parts/EventRow.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Section } from '../parts/Section.tsx'
import { AnchoringSection } from './AnchoringSection.tsx'
import { DecisionsSection } from './DecisionsSection.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HealthSection } from './HealthSection.tsx'
import { PendingSection } from './PendingSection.tsx'

const SHOWN = 6

/** What waits, what happened of late, and whether everything works. */
export function OverviewPage() {
  const latest = useAnswer<Page<ActivityEvent>>(`/api/activity?limit=${SHOWN}`, { everyMs: 15_000 })
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
