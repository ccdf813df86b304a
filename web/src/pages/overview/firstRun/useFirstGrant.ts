import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { useLiveActivity } from '../../activity/useLiveActivity.ts'

/**
 * Follows the decisions of an endpoint until one is granted.
 *
 * @returns The granted one, and the latest decision whatever its outcome; null until there is one.
 */
export function useFirstGrant(svceId: string) {
  const query = { endpoint: svceId }
  const listed = useApiQuery('GET /api/activity', { query: { ...query, limit: 100 } })
  const known = (listed.data?.items ?? []).find(isGranted)
  const live = useLiveActivity({
    query,
    isPaused: listed.data === undefined || known !== undefined,
    refetch: async () => (await listed.refetch()).data?.items ?? [],
  })
  const decisions = [...live.events, ...(listed.data?.items ?? [])].filter(isDecision)
  return { granted: decisions.find(isGranted) ?? null, latest: decisions[0] ?? null }
}

function isDecision({ eventType }: ActivityEvent): boolean {
  return eventType.startsWith('verification.')
}

function isGranted({ eventType }: ActivityEvent): boolean {
  return eventType === 'verification.completed'
}
