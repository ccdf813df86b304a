import { useEffect, useRef, useState } from 'react'
import { followActivity } from '../api/followActivity.ts'
import type { ActivityEvent } from '../api/types.ts'

type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

/** Events kept as live ones; the list behind has the rest. */
const KEPT_MAX = 500

type Options = {
  search: string
  isPaused: boolean
  /** Called when a stream begins anew: what happened before it has to be read from the list. */
  onBegin: () => void
}

/**
 * The events that happen while a page is looked at, newest first, and whether they come.
 *
 * A tab in the background lets go of its stream, since a browser opens few connections to one host, and takes it up
 * where it was.
 */
export function useLiveActivity({ search, isPaused, onBegin }: Options): {
  state: LiveState
  events: readonly ActivityEvent[]
} {
  const [state, setState] = useState<LiveState>('connecting')
  const [events, setEvents] = useState<readonly ActivityEvent[]>([])
  const place = useRef<string | null>(null)
  const begin = useRef(onBegin)
  begin.current = onBegin
  const isHidden = useHidden()

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another stream
  useEffect(() => {
    place.current = null
    setEvents([])
  }, [search])

  useEffect(() => {
    if (isPaused || isHidden) return
    const controller = new AbortController()
    setState('connecting')
    void followActivity(
      {
        search,
        lastEventId: place.current,
        onEvent: (event) => setEvents((known) => [event, ...known].slice(0, KEPT_MAX)),
        onPlace(id) {
          if (place.current === null) begin.current()
          place.current = id
          setState('live')
        },
        onLost: () => setState('lost'),
      },
      controller.signal,
    )
    return () => controller.abort()
  }, [search, isPaused, isHidden])

  return { state: isPaused ? 'paused' : state, events }
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
