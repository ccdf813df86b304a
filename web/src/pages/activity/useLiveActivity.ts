import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { useEffect, useRef, useState } from 'react'
import { pathOf, type Query } from '../../api/call.ts'
import { followActivity } from '../../api/followActivity.ts'
import { createBatch } from './createBatch.ts'

type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

/** Maximum number of live events that are remembered until the list is loaded again. */
const LIVE_EVENTS_MAX = 500

/** Delay of a live event, short enough to seem immediate; those that arrive meanwhile are drawn with it. */
const BATCH_MS = 100

type Options = {
  /** The filters of the live events. */
  query: Query
  isPaused: boolean
  /** Refetches the list when a stream opens; never rejects. */
  refetch: () => Promise<unknown>
}

/**
 * Follows new events while the page is visible, newest first, with the state of the connection; `forget` drops those that a
 * list contains that was loaded afterwards.
 *
 * A background tab closes its stream, because browsers limit the connections per host, and resumes it later.
 */
export function useLiveActivity({ query, isPaused, refetch }: Options): {
  state: LiveState
  events: readonly ActivityItem[]
  /** Whether there were more events than are remembered. */
  isCut: boolean
  forget: (contained: readonly ActivityItem[]) => void
} {
  const [state, setState] = useState<LiveState>('connecting')
  const [events, setEvents] = useState<readonly ActivityItem[]>([])
  const lastEventId = useRef<string | null>(null)
  const list = useRef(refetch)
  list.current = refetch
  const isHidden = useHidden()
  const path = pathOf('GET /api/activity/stream', { query })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of filters restarts the stream
  useEffect(() => {
    lastEventId.current = null
    setEvents([])
  }, [path])

  useEffect(() => {
    if (isPaused || isHidden) return
    const controller = new AbortController()
    const arrived = createBatch<ActivityItem>(BATCH_MS, (oldestFirst) =>
      setEvents((known) => [...[...oldestFirst].reverse(), ...known].slice(0, LIVE_EVENTS_MAX)),
    )
    setState('connecting')
    let isOpen = false
    void followActivity(
      {
        path,
        lastEventId: lastEventId.current,
        onEvent: arrived.add,
        async onPosition(id) {
          isOpen = true
          const isFirst = lastEventId.current === null
          lastEventId.current = id
          // Earlier events are only in the list, which is current as soon as it has been loaded again.
          if (isFirst) await list.current()
          if (isOpen && !controller.signal.aborted) setState('live')
        },
        onDisconnect() {
          isOpen = false
          setState('lost')
        },
      },
      controller.signal,
    )
    return () => {
      controller.abort()
      // The next stream resumes after them.
      arrived.flush()
    }
  }, [path, isPaused, isHidden])

  return {
    state: isPaused ? 'paused' : state,
    events,
    isCut: events.length === LIVE_EVENTS_MAX,
    forget: (contained) => setEvents((known) => known.filter((event) => !contained.includes(event))),
  }
}

function useHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const update = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isHidden
}
