import type { DecisionCount } from '../../store/feed/projectionStore.ts'
import type { ReadRecord } from './readRecord.ts'

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
export function countDecisions(records: readonly ReadRecord[]): DecisionCount[] {
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
  for (const { eventType, agentId, endpointId, recordedAt, data } of records) {
    if (!eventType.startsWith('verification.') || eventType === 'verification.dry_run') continue
    const dimensions = DENIALS.includes(eventType) ? new Set(data.dimensions as string[] | undefined) : []
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
