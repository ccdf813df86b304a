import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'
import { EVENT_COLUMNS } from './eventColumns.ts'
import { partyPlaces } from './partyPlaces.ts'

/** What narrows a look into the activity feed; times in epoch milliseconds. */
export type ActivityFilter = {
  parties: readonly string[]
  agentId?: string | undefined
  endpointId?: string | undefined
  eventType?: string | undefined
  since?: number | undefined
  until?: number | undefined
  /** Only records before this place in the log. */
  beforeSeq?: number | undefined
  limit: number
}

export type ActivityRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt' | 'entry'>

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the feed through the projection's index; newest first. */
export function createActivityStore(query: Knex) {
  return {
    async list(filter: ActivityFilter): Promise<ActivityRecord[]> {
      const page = { order: 'desc', limit: filter.limit } as const
      const seqs = await partyPlaces(query, filter.parties, page, (places) => {
        if (filter.agentId !== undefined) places.where('agent_id', filter.agentId)
        if (filter.endpointId !== undefined) places.where('endpoint_id', filter.endpointId)
        if (filter.eventType !== undefined) places.where('event_type', filter.eventType)
        if (filter.since !== undefined) places.where('recorded_at', '>=', filter.since)
        if (filter.until !== undefined) places.where('recorded_at', '<', filter.until)
        if (filter.beforeSeq !== undefined) places.where('seq', '<', filter.beforeSeq)
      })
      return query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', 'desc')
    },
  }
}
