import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useEffect, useRef, useState } from 'react'
import { pathOf, type Query } from '../../api/call.ts'
import { followActivity } from '../../api/followActivity.ts'
import { dropListed } from './dropListed.ts'

type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

/** Number of live events at which the list is refetched to take them over. */
const LIVE_EVENTS_MAX = 500

type Options = {
  /** The filters of the list. */
  query: Query
  isPaused: boolean
  /**
   * Refetches the list and returns its items: when a stream opens, because earlier events are only in the list, and when
   * there are too many live events.
   */
  refetch: () => Promise<readonly ActivityEvent[]>
}

/**
 * Follows new events while the page is visible, newest first, with their count and the state of the connection.
 *
 * A background tab closes its stream, because browsers limit the connections per host, and resumes it later. Live events are
 * dropped only once the list contains them, so that none is missing in between.
 */
export function useLiveActivity({ query, isPaused, refetch }: Options): {
  state: LiveState
  events: readonly ActivityEvent[]
  count: number
} {
  const [state, setState] = useState<LiveState>('connecting')
  const [events, setEvents] = useState<readonly ActivityEvent[]>([])
  const [count, setCount] = useState(0)
  const lastEventId = useRef<string | null>(null)
  const list = useRef(refetch)
  list.current = refetch
  const isHidden = useHidden()
  const path = pathOf('GET /api/activity/stream', { query })
  // After a failed refetch the next one follows when as many events again have arrived.
  const fills = Math.floor(events.length / LIVE_EVENTS_MAX)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of filters restarts the stream
  useEffect(() => {
    lastEventId.current = null
    setEvents([])
    setCount(0)
  }, [path])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of filters is a new list
  useEffect(() => {
    if (fills === 0) return
    let isCancelled = false
    void list.current().then((listed) => {
      if (!isCancelled) setEvents((known) => dropListed(known, listed))
    })
    return () => {
      isCancelled = true
    }
  }, [path, fills])

  useEffect(() => {
    if (isPaused || isHidden) return
    const controller = new AbortController()
    setState('connecting')
    void followActivity(
      {
        path,
        lastEventId: lastEventId.current,
        onEvent(event) {
          setEvents((known) => [event, ...known])
          setCount((known) => known + 1)
        },
        onPosition(id) {
          if (lastEventId.current === null) void list.current()
          lastEventId.current = id
          setState('live')
        },
        onDisconnect: () => setState('lost'),
      },
      controller.signal,
    )
    return () => controller.abort()
  }, [path, isPaused, isHidden])

  return { state: isPaused ? 'paused' : state, events, count }
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
