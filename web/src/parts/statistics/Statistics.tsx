import { SimpleGrid } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import type { ReactNode } from 'react'
import { Loaded } from '../lists/Loaded.tsx'
import { CapsSection } from './CapsSection.tsx'
import { RankingSection } from './RankingSection.tsx'
import { ReasonsSection } from './ReasonsSection.tsx'
import { TrafficSection } from './TrafficSection.tsx'

type Answer = AnswerOf<'GET /api/endpoints/:id/statistics'>

type Props<Shown extends Answer> = {
  query: Parameters<typeof Loaded<Shown>>[0]['query']
  /** The ranking of the other parties; `by` says what they are. */
  ranking: { title: string; by: string; empty: string }
  /** Links the other party; `name` is null if it is not the reader’s. */
  renderCounterpart: (id: string, name: string | null) => ReactNode
  /** The names of agents that use up the caps, by identifier. */
  namesOf: (statistics: Shown) => Readonly<Record<string, string>>
  /** What follows the caps. */
  children?: (statistics: Shown) => ReactNode
}

/** The last 30 days of an agent or an endpoint: traffic, reasons of denials, the busiest other parties, and used caps. */
export function Statistics<Shown extends Answer>(props: Props<Shown>) {
  const { query, ranking, renderCounterpart, namesOf, children } = props
  const { by, ...texts } = ranking
  return (
    <Loaded query={query}>
      {(statistics) => (
        <>
          <TrafficSection hours={statistics.hours} lastUsedAt={statistics.lastUsedAt} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <ReasonsSection reasons={statistics.reasons} />
            <RankingSection
              {...texts}
              description={`Requests of the last ${statistics.areCounterpartsComplete ? '30 days' : 'days'}, by ${by}.`}
              items={statistics.counterparts.map((one) => ({
                ...one,
                name: renderCounterpart(one.id, one.name),
              }))}
            />
          </SimpleGrid>
          <CapsSection caps={statistics.caps} names={namesOf(statistics)}>
            {children?.(statistics)}
          </CapsSection>
        </>
      )}
    </Loaded>
  )
}
