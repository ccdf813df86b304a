import { isRequestEvent } from './isRequestEvent.ts'

/**
 * The purchase that an event belongs to: the approval that its request was held for, otherwise its session; null for an
 * event that stands by itself.
 *
 * Events of versions before `approvalId` in verifications are linked by their session only.
 */
export function purchaseIdOf(eventType: string, eventData: Record<string, unknown>): string | null {
  // The ids in other events mean something else.
  if (!isRequestEvent(eventType)) return null
  const { approvalId, sessionId } = eventData
  if (typeof approvalId === 'string') return approvalId
  return typeof sessionId === 'string' ? sessionId : null
}
