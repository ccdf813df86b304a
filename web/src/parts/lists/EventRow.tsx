import { Text } from '@mantine/core'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { When } from '../When.tsx'
import { summariseEvent } from '../words/eventWords.ts'
import { RowLink } from './RowLink.tsx'

/** An event of the feed; a new one is highlighted briefly. */
export function EventRow({ event, isNew = false }: { event: ActivityEvent; isNew?: boolean }) {
  const { title, about, recommendation } = summariseEvent(event)
  return (
    <RowLink to={`/activity/${event.auditRecordId}`} title={title} about={about} isNew={isNew}>
      {recommendation && <StatusBadge value={recommendation} />}
      <Text size="sm" c="dimmed" component="span" miw={{ base: 0, xs: 90 }} ta="right">
        <When time={event.occurredAt} />
      </Text>
    </RowLink>
  )
}
