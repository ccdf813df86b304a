import type { DecisionCount, LoggedRecord } from '../../store/feed/projectionStore.ts'

/** The events whose dimensions deny. */
const DENIALS = ['verification.denied', 'verification.unverified_deny', 'verification.agent_not_found']
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/**
 * Counts decisions by agent and by endpoint: their outcomes by hour, and by day the dimensions of denials and the other
 * party, so that an overview of weeks reads few rows whatever the traffic.
 *
 * Dry runs are not decisions. A denial on several dimensions counts for each of them.
 */
export function countDecisions(records: readonly LoggedRecord[]): DecisionCount[] {
  const counts = new Map<string, DecisionCount>()
  for (const record of records) {
    for (const counted of facetsOf(record)) {
      const key = `${counted.subjectId} ${counted.facet} ${counted.bucket} ${counted.name}`
      const count = counts.get(key)
      if (count) {
        count.decisions += 1
        count.lastAt = Math.max(count.lastAt, record.recordedAt)
      } else counts.set(key, { ...counted, decisions: 1, lastAt: record.recordedAt })
    }
  }
  return [...counts.values()]
}

type EventData = { dimensions?: string[] }

type Facet = Omit<DecisionCount, 'decisions' | 'lastAt'>

function facetsOf({ eventType, agentId, endpointId, recordedAt, eventData }: LoggedRecord): Facet[] {
  if (!eventType.startsWith('verification.') || eventType === 'verification.dry_run') return []
  const [hour, day] = [Math.floor(recordedAt / HOUR_MS), Math.floor(recordedAt / DAY_MS)]
  // Most records are no denials, and parsing is what costs.
  const { dimensions = [] } = (DENIALS.includes(eventType) ? JSON.parse(eventData) : {}) as EventData
  const sides = [
    [agentId, endpointId],
    [endpointId, agentId],
  ]
  return sides.flatMap(([subjectId, other]) => {
    if (!subjectId) return []
    return [
      { subjectId, facet: 'outcome' as const, bucket: hour, name: eventType },
      ...(other ? [{ subjectId, facet: 'counterpart' as const, bucket: day, name: other }] : []),
      ...Array.from(new Set(dimensions), (name) => ({
        subjectId,
        facet: 'dimension' as const,
        bucket: day,
        name,
      })),
    ]
  })
}
