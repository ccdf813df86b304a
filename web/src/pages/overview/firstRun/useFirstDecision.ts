import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useEffect } from 'react'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { useInvalidate } from '../../../api/useInvalidate.ts'
import { useLiveActivity } from '../../activity/useLiveActivity.ts'

/**
 * Follows the decisions about an agent or of an endpoint until there is one that counts.
 *
 * @returns That one, and the latest decision whatever it is; null until there is one.
 */
export function useFirstDecision(
  party: { agent: string } | { endpoint: string },
  counts: (event: ActivityEvent) => boolean,
) {
  const listed = useApiQuery('GET /api/activity', { query: { ...party, limit: 100 } })
  const items = listed.data?.items ?? []
  const live = useLiveActivity({
    query: party,
    isPaused: listed.data === undefined || items.some(counts),
    refetch: listed.refetch,
  })
  const decisions = [...live.events, ...items].filter(({ eventType }) =>
    eventType.startsWith('verification.'),
  )
  const latest = decisions[0] ?? null
  const latestId = latest?.id
  const invalidate = useInvalidate()
  // The chart on the same page would otherwise say for some seconds that nothing has been decided.
  useEffect(() => {
    if (latestId !== undefined) void invalidate(['GET /api/activity/counts'])
  }, [latestId, invalidate])
  return { found: decisions.find(counts) ?? null, latest }
}
