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
  const add = (
    subjectId: string,
    facet: DecisionCount['facet'],
    bucket: number,
    name: string,
    lastAt: number,
  ): void => {
    const key = `${subjectId} ${facet} ${bucket} ${name}`
    const count = counts.get(key)
    if (count === undefined) counts.set(key, { subjectId, facet, bucket, name, decisions: 1, lastAt })
    else {
      count.decisions += 1
      count.lastAt = Math.max(count.lastAt, lastAt)
    }
  }
  for (const { eventType, agentId, endpointId, recordedAt, eventData } of records) {
    if (!eventType.startsWith('verification.') || eventType === 'verification.dry_run') continue
    // Most records are no denials, and parsing is what costs.
    const dimensions = DENIALS.includes(eventType) ? readDimensions(eventData) : []
    const [hour, day] = [Math.floor(recordedAt / HOUR_MS), Math.floor(recordedAt / DAY_MS)]
    for (const subjectId of [agentId, endpointId]) {
      if (subjectId === null) continue
      add(subjectId, 'outcome', hour, eventType, recordedAt)
      const other = subjectId === agentId ? endpointId : agentId
      if (other !== null) add(subjectId, 'counterpart', day, other, recordedAt)
      for (const dimension of dimensions) add(subjectId, 'dimension', day, dimension, recordedAt)
    }
  }
  return [...counts.values()]
}

function readDimensions(eventData: string): Iterable<string> {
  const { dimensions } = JSON.parse(eventData) as { dimensions?: string[] }
  return new Set(dimensions)
}
