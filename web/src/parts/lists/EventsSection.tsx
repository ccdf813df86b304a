import { Text } from '@mantine/core'
import { useApiList } from '../../api/useApiList.ts'
import { Section } from '../Section.tsx'
import { TextLink } from '../TextLink.tsx'
import { EventRow } from './EventRow.tsx'
import { Rows } from './Rows.tsx'

const POLL_MS = 15_000

/** The events of an agent or at an endpoint, newest first. */
export function EventsSection({ of }: { of: { agent: string } | { endpoint: string } }) {
  const query = useApiList('GET /api/activity', { query: of, pollMs: POLL_MS })
  return (
    <Section
      title="Events"
      description={
        <>
          Every decision, newest first. To filter them, open them in{' '}
          <TextLink to={`/activity?${new URLSearchParams(of)}`}>Activity</TextLink>.
        </>
      }
    >
      <Rows query={query} empty={<Text c="dimmed">Nothing has happened yet.</Text>}>
        {(event) => <EventRow key={event.id} event={event} />}
      </Rows>
    </Section>
  )
}
