import type { ActivityOutcome } from '@svc/core/contract/activity.ts'

/** What a request came to by its decision; one that is only audited is let in. */
const BY_RECOMMENDATION: Readonly<Record<string, ActivityOutcome>> = {
  grant: 'granted',
  audit: 'granted',
  step_up_required: 'held',
  deny: 'denied',
}

/**
 * What an event says that a request came to; null for an event that says nothing about it.
 *
 * An approval changes nothing until the request is made again, and a counterparty's own decision is not ours. A window that
 * closed without an answer denies; a request that replaces another one is held itself.
 */
export function outcomeOf(eventType: string, eventData: Record<string, unknown>): ActivityOutcome | null {
  switch (eventType) {
    case 'verification.dry_run':
    case 'verification.reused':
      return null
    case 'approval.requested':
      return 'held'
    case 'approval.denied':
      return 'denied'
    case 'approval.expired':
      return eventData.cause === 'replaced' ? null : 'denied'
  }
  if (!eventType.startsWith('verification.')) return null
  return BY_RECOMMENDATION[String(eventData.recommendation)] ?? null
}
