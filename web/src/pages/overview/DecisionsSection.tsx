import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Decisions } from '../../parts/decisions/Decisions.tsx'
import { groupDecisions, type Period } from '../../parts/decisions/groupDecisions.ts'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Hours to request: in UTC, seven local days may start on the day before. */
const PERIOD_HOURS = { day: 24, week: 8 * 24 } as const

/** Decisions over time by outcome. */
export function DecisionsSection() {
  const [period, setPeriod] = useState<Exclude<Period, 'month'>>('day')
  const query = useApiQuery('GET /api/activity/counts', {
    query: { hours: PERIOD_HOURS[period] },
    pollMs: 15_000,
  })
  return (
    <Section
      title="Decisions"
      description={<TextLink to="/activity">All activity</TextLink>}
      right={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={period}
          onChange={(value) => setPeriod(value === 'week' ? 'week' : 'day')}
          data={[
            { value: 'day', label: 'Last 24 hours' },
            { value: 'week', label: 'Last 7 days' },
          ]}
        />
      }
    >
      <Loaded query={query}>
        {({ hours, isComplete }) => (
          <Decisions
            bars={groupDecisions(hours, period, new Date())}
            period={period}
            isComplete={isComplete}
          />
        )}
      </Loaded>
    </Section>
  )
}
