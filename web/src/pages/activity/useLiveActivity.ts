import { useEffect, useRef, useState } from 'react'
import { followActivity } from '../../api/followActivity.ts'
import type { ActivityEvent } from '../../api/types.ts'
import { newerThanListed } from './newerThanListed.ts'

type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

/** As many live events as there may be before they are left to the list behind. */
const KEPT_MAX = 500

type Options = {
  search: string
  isPaused: boolean
  /**
   * Reads the list anew and answers what is in it then: when a stream begins, since what happened before it is there
   * alone, and when there are too many live events to keep.
   */
  reread: () => Promise<readonly ActivityEvent[]>
}

/**
 * The events that happen while a page is looked at, newest first, how many there were, and whether they come.
 *
 * A tab in the background lets go of its stream, since a browser opens few connections to one host, and takes it up
 * where it was. No event is let go of before the list has it, so that none is missing between the two.
 */
export function useLiveActivity({ search, isPaused, reread }: Options): {
  state: LiveState
  events: readonly ActivityEvent[]
  count: number
} {
  const [state, setState] = useState<LiveState>('connecting')
  const [events, setEvents] = useState<readonly ActivityEvent[]>([])
  const [count, setCount] = useState(0)
  const place = useRef<string | null>(null)
  const list = useRef(reread)
  list.current = reread
  const isHidden = useHidden()
  // A list that could not be read is asked for again when as many more have come.
  const fills = Math.floor(events.length / KEPT_MAX)

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another stream
  useEffect(() => {
    place.current = null
    setEvents([])
    setCount(0)
  }, [search])

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another list
  useEffect(() => {
    if (fills === 0) return
    let isOver = false
    void list.current().then((listed) => {
      if (!isOver) setEvents((known) => newerThanListed(known, listed))
    })
    return () => {
      isOver = true
    }
  }, [search, fills])

  useEffect(() => {
    if (isPaused || isHidden) return
    const controller = new AbortController()
    setState('connecting')
    void followActivity(
      {
        search,
        lastEventId: place.current,
        onEvent(event) {
          setEvents((known) => [event, ...known])
          setCount((known) => known + 1)
        },
        onPosition(id) {
          if (place.current === null) void list.current()
          place.current = id
          setState('live')
        },
        onDisconnect: () => setState('lost'),
      },
      controller.signal,
    )
    return () => controller.abort()
  }, [search, isPaused, isHidden])

  return { state: isPaused ? 'paused' : state, events, count }
}

function useHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const look = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isHidden
}
