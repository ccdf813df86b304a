import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { Decisions } from '../decisions/Decisions.tsx'
import { groupDecisions, type Period } from '../decisions/groupDecisions.ts'
import { Section } from '../Section.tsx'
import { When } from '../When.tsx'

const PERIODS: { value: Period; label: string }[] = [
  { value: 'day', label: '24 hours' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
]

type Props = { hours: Parameters<typeof groupDecisions>[0]; lastUsedAt: string | null }

/** The decisions about an agent, or at an endpoint, over time, and when the last one was. */
export function TrafficSection({ hours, lastUsedAt }: Props) {
  const [period, setPeriod] = useState<Period>('month')
  return (
    <Section
      title="Traffic"
      description={
        lastUsedAt === null ? (
          'Not used yet.'
        ) : (
          <>
            Last request: <When time={lastUsedAt} />.
          </>
        )
      }
      right={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={period}
          onChange={(value) => setPeriod(PERIODS.find((one) => one.value === value)?.value ?? 'month')}
          data={PERIODS}
        />
      }
    >
      {lastUsedAt === null ? (
        <Text c="dimmed">The first request appears here.</Text>
      ) : (
        <Decisions bars={groupDecisions(hours, period, new Date())} period={period} />
      )}
    </Section>
  )
}
