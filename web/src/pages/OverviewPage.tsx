import { SimpleGrid, Stack, Text } from '@mantine/core'
import type { ActivityEvent, Page } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { EventRow } from '../parts/EventRow.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { RecommendationBar } from '../parts/RecommendationBar.tsx'
import { Section } from '../parts/Section.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import { AnchoringSection } from './AnchoringSection.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HealthSection } from './HealthSection.tsx'

const DAY_MS = 86_400_000
const SHOWN = 6

/** What happened of late and whether everything works. */
export function OverviewPage() {
  const latest = useAnswer<Page<ActivityEvent>>('/api/activity?limit=100', { everyMs: 15_000 })
  return (
    <>
      <PageHeader title="Overview" description="What was decided of late, and how it is kept." />
      <Stack gap="lg">
        <FirstSteps />
        <Loaded query={latest}>{(page) => <Decisions page={page} />}</Loaded>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <AnchoringSection />
          <HealthSection />
        </SimpleGrid>
        <Loaded query={latest}>{({ items }) => <Latest events={items.slice(0, SHOWN)} />}</Loaded>
      </Stack>
    </>
  )
}

function Decisions({ page: { items, hasMore } }: { page: Page<ActivityEvent> }) {
  const decided = items.filter(({ eventType }) => eventType.startsWith('verification.'))
  const today = decided.filter(({ occurredAt }) => Date.now() - Date.parse(occurredAt) < DAY_MS)
  const isCut = hasMore && today.length === decided.length && items.length > 0
  const counts: Record<string, number> = {}
  for (const { eventData } of today) {
    const name = String(eventData.recommendation)
    counts[name] = (counts[name] ?? 0) + 1
  }
  const period = isCut ? `The latest ${today.length} decisions.` : 'Decisions of the last 24 hours.'
  return (
    <Section title="Decisions" description={period} right={<TextLink to="/activity">All activity</TextLink>}>
      {today.length === 0 ? (
        <Text c="dimmed">None yet. Each call of verify-access shows here, whatever its outcome.</Text>
      ) : (
        <RecommendationBar counts={counts} />
      )}
    </Section>
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
