import { Button, Group, NativeSelect, Paper, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { EventRow } from '../../parts/EventRow.tsx'
import { eventNames } from '../../parts/eventWords.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { navigate, useAddress } from '../../router/navigate.ts'
import { LiveState } from './LiveState.tsx'
import { AgentField, EndpointField } from './partyFields.tsx'
import { useLiveActivity } from './useLiveActivity.ts'

const HOUR_MS = 3_600_000

const PERIODS = [
  { value: '', label: 'Any time', ms: 0 },
  { value: 'hour', label: 'Last hour', ms: HOUR_MS },
  { value: 'day', label: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: 'week', label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
]

/** The live feed of all events that the account is a party to; its filters are part of the URL. */
export function ActivityPage() {
  const { search } = useAddress()
  const [isPaused, setPaused] = useState(false)
  const read = (name: string) => search.get(name) ?? ''
  const filters = { eventType: read('eventType'), endpoint: read('endpoint'), agent: read('agent') }
  const period = read('period')
  // Recomputed on every render, the start would change the cache key and discard the loaded list.
  const since = useMemo(() => computeSince(period), [period])
  const query = useApiList('GET /api/activity', { query: { ...filters, since } })
  const live = useLiveActivity({
    query: filters,
    isPaused,
    refetch: async () => {
      const { data } = await query.refetch()
      return data?.pages.flatMap((page) => page.items) ?? []
    },
  })
  const isFiltered = [...search.values()].some((value) => value !== '')
  const arrived = new Set(live.events.map(({ id }) => id))
  const items = [...live.events, ...query.items.filter(({ id }) => !arrived.has(id))]
  return (
    <>
      <PageHeader
        title="Activity"
        description="Every decision about your agents and at your endpoints, newest first. Open an event to see its audit proof."
      >
        <LiveState state={live.state} count={live.count} isPaused={isPaused} onPause={setPaused} />
      </PageHeader>
      <Filters read={read} isFiltered={isFiltered} />
      <Rows query={{ ...query, items }} empty={<Nothing isFiltered={isFiltered} />}>
        {(event) => <EventRow key={event.id} event={event} isNew={arrived.has(event.id)} />}
      </Rows>
    </>
  )
}

/** Rounded to the minute, so that returning to the page soon finds the list in the cache. */
function computeSince(period: string): string {
  const ms = PERIODS.find(({ value }) => value === period)?.ms ?? 0
  return ms === 0 ? '' : new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString()
}

function Filters({ read, isFiltered }: { read: (name: string) => string; isFiltered: boolean }) {
  const select = (name: string, label: string, data: { value: string; label: string }[]) => {
    const value = read(name)
    const isListed = data.some((option) => option.value === value)
    return (
      <NativeSelect
        label={label}
        value={value}
        data={isListed ? data : [...data, { value, label: value }]}
        onChange={(event) => setFilter(name, event.currentTarget.value)}
        style={{ flex: '1 1 140px', minWidth: 0 }}
      />
    )
  }
  return (
    <Paper withBorder p="md" mb="md" component="search">
      <Group gap="sm" align="flex-end">
        {select('eventType', 'Event', [
          { value: '', label: 'All' },
          ...Object.entries(eventNames).map(([value, label]) => ({ value, label })),
        ])}
        <EndpointField value={read('endpoint')} onChange={(value) => setFilter('endpoint', value)} />
        <AgentField value={read('agent')} onChange={(value) => setFilter('agent', value)} />
        {select(
          'period',
          'Period',
          PERIODS.map(({ value, label }) => ({ value, label })),
        )}
        {isFiltered && (
          <Button variant="subtle" onClick={() => navigate('/activity')}>
            Clear
          </Button>
        )}
      </Group>
    </Paper>
  )
}

function setFilter(name: string, value: string): void {
  const search = new URLSearchParams(window.location.search)
  if (value === '') search.delete(name)
  else search.set(name, value)
  navigate(search.size === 0 ? '/activity' : `/activity?${search}`, { replace: true })
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyNote icon="search" title="No matches" description="No events match these filters.">
        <LinkButton to="/activity" variant="light">
          Show all
        </LinkButton>
      </EmptyNote>
    )
  }
  return (
    <EmptyNote
      icon="activity"
      title="No activity yet"
      description={
        <>
          Events appear as soon as one of your endpoints calls{' '}
          <Text span ff="monospace">
            verify-access
          </Text>{' '}
          for a request, or one of your agents is verified anywhere.
        </>
      }
    >
      <LinkButton to="/endpoints" variant="light">
        Set up an endpoint
      </LinkButton>
    </EmptyNote>
  )
}
