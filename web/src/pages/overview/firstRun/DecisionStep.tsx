import { Stack, Text } from '@mantine/core'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { EventRow } from '../../../parts/lists/EventRow.tsx'
import { Step } from './Step.tsx'

type Props = {
  number: number
  /** Title once it is done, and while it waits. */
  titles: { done: string; waiting: string }
  /** The event that was waited for, and the latest other one. */
  found: ActivityEvent | null
  latest: ActivityEvent | null
}

/** A step that waits for a decision and turns green automatically; meanwhile it shows a request that was not granted. */
export function DecisionStep({ number, titles, found, latest }: Props) {
  return (
    <Step
      number={number}
      title={found ? titles.done : titles.waiting}
      state={found ? 'done' : 'waiting'}
      about={
        found ? 'It is recorded, and its proof follows within minutes.' : 'This turns green automatically.'
      }
    >
      {found && <EventRow event={found} isNew />}
      {!found && latest && (
        <Stack gap="xs">
          <Text size="sm">A request arrived but was not granted. Open it to see why:</Text>
          <EventRow event={latest} isNew />
        </Stack>
      )}
    </Step>
  )
}
