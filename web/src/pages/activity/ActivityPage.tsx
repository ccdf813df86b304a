import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cacheKeyOf } from '../../api/call.ts'
import { useApiList } from '../../api/useApiList.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { LoadMore } from '../../parts/lists/LoadMore.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useAddress } from '../../router/navigate.ts'
import { ActivityFilters } from './ActivityFilters.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import {
  changeActivityAddress,
  FILTERS,
  listQueryOf,
  liveQueryOf,
  readActivityAddress,
} from './activityAddress.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { LiveState } from './LiveState.tsx'
import { mergeLive } from './mergeLive.ts'
import { useColumns } from './useColumns.ts'
import { useLiveActivity } from './useLiveActivity.ts'

const ORDERS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
]

/** All purchases and events that the account is a party to, live; what is shown is part of the URL. */
export function ActivityPage() {
  const { search } = useAddress()
  const address = readActivityAddress(search)
  const [isPaused, setPaused] = useState(false)
  const [columns, setColumns] = useColumns()
  const text = search.toString()
  // Recomputed on every render, the start of a period would change the cache key and discard the loaded list.
  const listQuery = useMemo(
    () => listQueryOf(readActivityAddress(new URLSearchParams(text)), Date.now()),
    [text],
  )
  const query = useApiList('GET /api/activity', { query: listQuery })
  const live = useLiveActivity({ query: liveQueryOf(address), isPaused, refetch: query.refetch })
  const { rows, fresh, byPurchase } = mergeLive(query.items, live.events, address.outcome)
  const isFiltered = FILTERS.some((name) => address[name] !== '')

  const client = useQueryClient()
  /** Loads the list again from its beginning, with what is new. */
  const insert = async () => {
    const key = [...cacheKeyOf('GET /api/activity', { query: listQuery }), 'pages']
    client.setQueryData<Pages>(key, (loaded) => loaded && firstPageOf(loaded))
    const contained = live.events
    await query.refetch()
    live.forget(contained)
  }
  const isEmpty = query.data !== undefined && rows.length === 0 && !query.isFetching
  // Nothing shifts in an empty list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new event inserts
  useEffect(() => {
    if (isEmpty && fresh > 0) void insert()
  }, [isEmpty, fresh])

  return (
    <>
      <PageHeader
        title="Activity"
        description="Every decision about your agents and at your endpoints. A purchase unfolds into its timeline; open an event to see its audit proof. Endpoints of others appear by their identifier."
      >
        <LiveState state={live.state} count={fresh} isPaused={isPaused} onPause={setPaused} />
      </PageHeader>
      <ActivityFilters address={address} error={query.error} />
      <Group justify="space-between" align="flex-end" mb="xs" gap="xs" mih={36}>
        <Group gap="xs">
          <NativeSelect
            aria-label="Order"
            value={address.order}
            data={ORDERS}
            onChange={(event) => changeActivityAddress({ order: event.currentTarget.value })}
          />
          {fresh > 0 && !isEmpty && (
            <Button variant="light" onClick={() => void insert()} loading={query.isRefetching}>
              {`${fresh}${live.isCut ? '+' : ''} new`}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <ColumnsMenu columns={columns} onChange={setColumns} />
          <ExportMenu query={listQuery} columns={columns} />
        </Group>
      </Group>
      {/* A failure to load the next page is shown at the end of the list, any other failure above it. */}
      <Loaded query={query.isFetchNextPageError ? { ...query, error: null } : query}>
        {() =>
          rows.length === 0 && !query.hasNextPage ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <>
              {rows.length > 0 && (
                <ActivityTable events={rows} columns={columns} order={address.order} live={byPurchase} />
              )}
              <LoadMore query={query} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

type Pages = { pages: { items: ActivityItem[] }[]; pageParams: unknown[] }

function firstPageOf({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
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
