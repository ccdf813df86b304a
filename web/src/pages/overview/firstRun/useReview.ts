import { useState } from 'react'
import { session, userOf } from '../../../api/session.ts'
import { useApiQuery } from '../../../api/useApiQuery.ts'

const POLL_MS = 15_000

/**
 * What an operator has to review and has reviewed: the oldest case that somebody else submitted, and the latest one that
 * this operator decided.
 */
export function useReview() {
  const developerId = userOf(session.read())?.developerId
  const [isRecordSeen, setRecordSeen] = useState(false)
  const lists = {
    pending: useApiQuery('GET /api/admin/kyd', { query: { status: 'pending', limit: 100 }, pollMs: POLL_MS }),
    approved: useApiQuery('GET /api/admin/kyd', { query: { status: 'approved', limit: 100 } }),
    rejected: useApiQuery('GET /api/admin/kyd', { query: { status: 'rejected', limit: 100 } }),
  }
  const isLoaded = Object.values(lists).every(({ data }) => data !== undefined)
  const pending = lists.pending.data?.items ?? []
  const ended = [...(lists.approved.data?.items ?? []), ...(lists.rejected.data?.items ?? [])]
  return {
    isLoaded,
    waiting: pending.length,
    first: pending.find(({ isOwn }) => !isOwn) ?? null,
    decided: ended.find(({ decidedBy }) => decidedBy === developerId) ?? null,
    isRecordSeen,
    onRecordSeen: () => setRecordSeen(true),
  }
}

/** A case of the lists above. */
export type ReviewedCase = NonNullable<ReturnType<typeof useReview>['decided']>
