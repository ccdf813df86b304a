import { Anchor, Group, Text } from '@mantine/core'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { useApiList } from '../../api/useApiList.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { LoadMore } from '../../parts/lists/LoadMore.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { describeCounterpartyDecision } from '../../parts/words/accessWords.ts'
import { eventNames } from '../../parts/words/eventWords.ts'
import { summariseProof } from '../../parts/words/proofWords.ts'
import { followLink } from '../../router/navigate.ts'
import classes from './ActivityTable.module.css'

/** Everything that happened to a purchase, in order; `live` are its newest events, newest first. */
export function PurchaseTimeline({
  purchaseId,
  live,
}: {
  purchaseId: string
  live: readonly ActivityItem[]
}) {
  const query = useApiList('GET /api/activity', { query: { purchase: purchaseId, order: 'oldest' } })
  const listed = new Set(query.items.map(({ id }) => id))
  const events = [...query.items, ...live.filter(({ id }) => !listed.has(id)).toReversed()]
  return (
    <Loaded query={query}>
      {() => (
        <>
          <ol className={classes.timeline}>
            {events.map((event) => (
              <TimelineEvent key={event.id} event={event} />
            ))}
          </ol>
          <LoadMore query={query} />
        </>
      )}
    </Loaded>
  )
}

function TimelineEvent({ event }: { event: ActivityItem }) {
  const { auditRecordId, eventType, occurredAt, outcome, eventData } = event
  const at = new Date(occurredAt)
  const { decision, reason } = eventData
  const decided = describeCounterpartyDecision(decision)
  const about = [summariseProof(eventData), decided, reason].filter((part) => typeof part === 'string')
  return (
    <li>
      <Group gap="xs">
        <Text span size="sm" c="dimmed" className={classes.clock}>
          <time dateTime={occurredAt} title={at.toLocaleString()}>
            {at.toLocaleTimeString()}
          </time>
        </Text>
        <Anchor href={`/activity/${auditRecordId}`} onClick={followLink} size="sm">
          {eventNames[eventType] ?? eventType}
        </Anchor>
        {outcome && <StatusBadge value={outcome} />}
        {about.length > 0 && (
          <Text span size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {revealText(about.join(' · '))}
          </Text>
        )}
      </Group>
    </li>
  )
}
