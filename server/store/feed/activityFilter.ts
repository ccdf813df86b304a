import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

/** The filters of a query on the activity feed. */
export type ActivityFilter = {
  parties: readonly string[]
  limit: number
  agentId?: string | undefined
  /** Internal id. */
  endpointId?: string | undefined
  eventType?: string | undefined
  /** Epoch milliseconds; `since` is included, `until` is not. */
  since?: number | undefined
  until?: number | undefined
  outcome?: string | undefined
  /** Normalised. */
  sourceIp?: string | undefined
  /** Part of the event’s text, in lower case. */
  text?: string | undefined
  currency?: string | undefined
  amountMin?: number | undefined
  amountMax?: number | undefined
  purchaseId?: string | undefined
  /** Only the first event of each purchase, with what the purchase came to; of an event type, each event of that type. */
  perPurchase?: boolean | undefined
}

type Condition = {
  column: string
  value: string | number | undefined
  operator?: '=' | '>=' | '<='
  /** The index that lists the matching events of a party in log order, if there is one. */
  index?: string
}

/** Whether a list shows only the first event of each purchase. */
export function showsOnlyFirst({ perPurchase, eventType }: ActivityFilter): boolean {
  return perPurchase === true && eventType === undefined
}

/** The conditions of a filter apart from party, time and text, the most selective index first. */
function listConditions(filter: ActivityFilter): Condition[] {
  const { purchaseId, sourceIp, agentId, endpointId, eventType, outcome, currency } = filter
  const listed: Condition[] = [
    { column: 'purchase_id', value: purchaseId, index: 'party_events_purchase' },
    { column: 'source_ip', value: sourceIp, index: 'party_events_ip' },
    { column: 'agent_id', value: agentId, index: 'party_events_agent' },
    { column: 'endpoint_id', value: endpointId, index: 'party_events_endpoint' },
    { column: 'event_type', value: eventType, index: 'party_events_type' },
    showsOnlyFirst(filter)
      ? { column: 'standing', value: outcome, index: 'party_events_standing' }
      : { column: 'outcome', value: outcome, index: 'party_events_outcome' },
    { column: 'currency', value: currency, index: 'party_events_currency' },
    { column: 'amount', operator: '>=', value: filter.amountMin },
    { column: 'amount', operator: '<=', value: filter.amountMax },
  ]
  return listed.filter(({ value }) => value !== undefined)
}

function add(rows: Knex.QueryBuilder, { column, operator = '=', value }: Condition): void {
  rows.where(column, operator, value ?? '')
}

/** Restricts rows to those of a filter, apart from party and position. */
export function whereMatches(rows: Knex.QueryBuilder, filter: ActivityFilter): void {
  const { since, until, text } = filter
  for (const condition of listConditions(filter)) add(rows, condition)
  // A literal, because SQLite uses a partial index only if the text of the statement implies its condition.
  if (showsOnlyFirst(filter)) rows.whereRaw('is_first = 1')
  if (since !== undefined) rows.where('recorded_at', '>=', since)
  if (until !== undefined) rows.where('recorded_at', '<', until)
  // A text may contain `%` and `_`, which LIKE would have to escape.
  if (text !== undefined) rows.whereRaw(`${searchOf(rows)}(search_text, ?) > 0`, [text])
}

function searchOf(rows: Knex.QueryBuilder): string {
  return rows.client.config.client === 'pg' ? 'strpos' : 'instr'
}

/**
 * The events of one party in the index that a query of this filter follows. On SQLite the statement names it, because
 * without statistics SQLite takes the order of the log for as good as any.
 */
export function eventsOf(query: Knex, filter: ActivityFilter, party_id: string): Knex.QueryBuilder {
  const { index } = followedIndex(filter)
  const isNamed = index !== null && !isPostgres(query)
  const events = isNamed ? query.raw(`feed.party_events INDEXED BY ${index}`) : 'feed.party_events'
  return query(events).select('seq').where({ party_id })
}

/**
 * Restricts rows to those of the index that a query of this filter follows, and tells whether it may pass rows that do not
 * match: then the number of rows that it may pass has to be bounded.
 */
export function whereIndexed(rows: Knex.QueryBuilder, filter: ActivityFilter): { isExact: boolean } {
  const { condition, hasOnlyFirst } = followedIndex(filter)
  if (condition !== null) add(rows, condition)
  if (hasOnlyFirst) rows.whereRaw('is_first = 1')
  const conditions = listConditions(filter).length
  const isExact =
    filter.text === undefined &&
    conditions === (condition === null ? 0 : 1) &&
    showsOnlyFirst(filter) === hasOnlyFirst
  return { isExact }
}

type Followed = { index: string | null; condition: Condition | null; hasOnlyFirst: boolean }

function followedIndex(filter: ActivityFilter): Followed {
  const [first] = listConditions(filter)
  if (first?.index !== undefined) {
    return { index: first.index, condition: first, hasOnlyFirst: first.column === 'standing' }
  }
  return showsOnlyFirst(filter)
    ? { index: 'party_events_first', condition: null, hasOnlyFirst: true }
    : { index: null, condition: null, hasOnlyFirst: false }
}
