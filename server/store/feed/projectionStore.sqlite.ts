import { addDecimals } from '@svc/core/decimal.ts'
import type { ActivityFacts } from '@svc/core/trustScore.ts'
import type Sqlite from 'better-sqlite3'
import type { LogCount, LogPlace } from '../audit/logStore.ts'
import { nodePositionOf } from '../audit/treeStore.ts'
import { openSqlite } from '../database/openSqlite.ts'
import { buildFeedStatements } from './feedStatements.ts'
import { PARTY_EVENT_COLUMNS, partyEventValues } from './partyEventColumns.ts'
import { prepareInserts } from './prepareInserts.sqlite.ts'
import type { LoggedRecord, PlacedEvent, ProjectionStore } from './projectionStore.ts'

/** Cache for pages of the feed, because its lookup rows are inserted in the order of random identifiers. */
const CACHE_KIBIBYTES = 65_536

/**
 * The projection’s store on SQLite: one connection to the feed, with the log attached and only ever read.
 *
 * The feed is synced at checkpoints only. A power failure can remove its last transactions, but only as a whole, and they
 * are rebuilt from the log. Its commits therefore cost the recorder no sync.
 */
export function createSqliteProjectionStore(files: {
  databaseFile: string
  feedFile: string
}): ProjectionStore {
  const feed = openSqlite(files.feedFile)
  feed.pragma('synchronous = NORMAL')
  feed.pragma(`cache_size = -${CACHE_KIBIBYTES}`)
  feed.prepare('ATTACH DATABASE ? AS log').run(files.databaseFile)
  feed.pragma(`log.cache_size = -${CACHE_KIBIBYTES}`)
  feed.function('add_decimals', { deterministic: true }, addDecimals)
  const run = prepare(feed)
  /** Whether an event is the first of its purchase in the chunk, and an earlier chunk opened the purchase. */
  const isContinued = ({ seq, firstSeq, partyId, purchaseId }: PlacedEvent) =>
    seq === firstSeq && purchaseId !== null && run.findOpening.get(partyId, purchaseId) !== undefined
  return {
    transaction: (work) =>
      // BEGIN IMMEDIATE would also take the write lock of the attached log, so a write takes the lock of the feed.
      feed.transaction(() => {
        run.lockFeed.run()
        return work()
      })(),
    logSize: () => (run.logSize.get() as { size: number }).size,
    records: (fromSeq, limit) => run.records.all(fromSeq, limit) as LoggedRecord[],
    nextSeq: () => (run.nextSeq.get() as { nextSeq: number }).nextSeq,
    setNextSeq: (seq) => void run.setNextSeq.run(seq),
    addEvents(events) {
      const continuing = new Set(events.filter(isContinued))
      run.addEvents(
        events.map((event) => {
          const isOpening = event.seq === event.firstSeq && !continuing.has(event)
          return [...partyEventValues(event, isOpening ? event.standing : null), isOpening ? 1 : 0]
        }),
      )
      for (const { standing, partyId, purchaseId } of continuing) {
        if (standing !== null) run.setStanding.run(standing, partyId, purchaseId)
      }
    },
    addLookUps(fromSeq, toSeq) {
      for (const statement of run.addLookUps) statement.run(fromSeq, toSeq)
    },
    behaviour(agentId) {
      const row = run.behaviour.get(agentId) as (ActivityFacts & { sources: string }) | undefined
      return row && { ...row, sources: JSON.parse(row.sources) as ActivityFacts['sources'] }
    },
    setBehaviour: (agentId, { grants, violations, at, sources }) =>
      void run.setBehaviour.run(agentId, grants, violations, at, JSON.stringify(sources)),
    addSpend(amounts) {
      for (const { agentId, endpointId, day, currency, ...sums } of amounts) {
        const { amount, purchases, unprovenAmount, unprovenPurchases } = sums
        const values = [amount, purchases, unprovenAmount, unprovenPurchases]
        run.addSpend.run(agentId, endpointId, day, currency, ...values)
      }
    },
    addDecisions(counts) {
      for (const { subjectId, facet, bucket, name, decisions, lastAt } of counts)
        run.addDecisions.run(subjectId, facet, bucket, name, decisions, lastAt)
    },
    logCounts: () => run.logCounts.all() as LogCount[],
    treeSize(log) {
      const { size } = run.placed.get(log) as { size: number | null }
      if (size !== null || log > 0) return size ?? 0
      const { nextSeq, firstSplit } = run.unplaced.get() as { nextSeq: number; firstSplit: number | null }
      return Math.min(nextSeq, firstSplit ?? nextSeq)
    },
    placeOf(seq) {
      const place = run.placeOf.get(seq) as LogPlace | undefined
      if (place !== undefined) return place
      const { firstSplit } = run.unplaced.get() as { firstSplit: number | null }
      return seq < (firstSplit ?? Number.POSITIVE_INFINITY) ? { log: 0, index: seq } : null
    },
    addPlaces(places) {
      for (const { seq, log, index } of places) run.addPlace.run(seq, log, index)
    },
    node(address, log) {
      const row = run.node.get(nodePositionOf(address, log)) as { hash: Uint8Array } | undefined
      return row?.hash ?? null
    },
    addNodes(nodes, log) {
      run.addNodes(nodes.map((node) => [nodePositionOf(node, log), node.hash]))
    },
    clear() {
      for (const statement of run.clear) statement.run()
    },
    close: () => void feed.close(),
  }
}

const DERIVED_TABLES = [
  'party_events',
  'record_positions',
  'session_positions',
  'agent_behaviour',
  'agent_spend',
  'decision_counts',
  'tree_nodes',
  'log_places',
]

const LOOK_UPS = buildFeedStatements({
  log: 'log.',
  feed: '',
  from: '?',
  to: '?',
  insert: 'INSERT OR ROLLBACK',
})

function prepare(feed: Sqlite.Database) {
  return {
    lockFeed: feed.prepare('UPDATE projection_state SET next_seq = next_seq WHERE id = 1'),
    logSize: feed.prepare('SELECT COALESCE(MAX(seq) + 1, 0) AS size FROM log.audit_records'),
    records:
      feed.prepare(`SELECT seq, record_id AS recordId, recorded_at AS recordedAt, event_type AS eventType, owner_id AS ownerId, agent_id AS agentId,
      endpoint_id AS endpointId, counterparty_owner_id AS counterpartyOwnerId, event_data AS eventData, entry FROM log.audit_records WHERE seq >= ? ORDER BY seq LIMIT ?`),
    nextSeq: feed.prepare('SELECT next_seq AS nextSeq FROM projection_state WHERE id = 1'),
    setNextSeq: feed.prepare('UPDATE projection_state SET next_seq = ? WHERE id = 1'),
    addEvents: prepareInserts(feed, 'party_events', [...PARTY_EVENT_COLUMNS, 'is_first']),
    findOpening: feed.prepare(`SELECT 1 FROM party_events INDEXED BY party_events_purchase
      WHERE party_id = ? AND purchase_id = ? AND is_first = 1`),
    setStanding: feed.prepare(`UPDATE party_events INDEXED BY party_events_purchase SET standing = ?
      WHERE party_id = ? AND purchase_id = ? AND is_first = 1`),
    addLookUps: LOOK_UPS.map((sql) => feed.prepare(sql)),
    behaviour: feed.prepare(
      'SELECT grants, violations, updated_at AS at, sources FROM agent_behaviour WHERE agent_id = ?',
    ),
    setBehaviour:
      feed.prepare(`INSERT INTO agent_behaviour (agent_id, grants, violations, updated_at, sources)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (agent_id) DO UPDATE SET grants = excluded.grants, violations = excluded.violations,
      updated_at = excluded.updated_at, sources = excluded.sources`),
    addSpend: feed.prepare(`INSERT INTO agent_spend
      (agent_id, endpoint_id, day, currency, amount, purchases, unproven_amount, unproven_purchases)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, endpoint_id, day, currency)
      DO UPDATE SET amount = add_decimals(agent_spend.amount, excluded.amount),
      purchases = agent_spend.purchases + excluded.purchases,
      unproven_amount = add_decimals(agent_spend.unproven_amount, excluded.unproven_amount),
      unproven_purchases = agent_spend.unproven_purchases + excluded.unproven_purchases`),
    addDecisions:
      feed.prepare(`INSERT INTO decision_counts (subject_id, facet, bucket, name, decisions, last_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subject_id, facet, bucket, name)
      DO UPDATE SET decisions = decision_counts.decisions + excluded.decisions,
      last_at = max(decision_counts.last_at, excluded.last_at)`),
    logCounts: feed.prepare('SELECT from_seq AS fromSeq, logs FROM log.audit_log_counts ORDER BY from_seq'),
    placed: feed.prepare('SELECT MAX(place) + 1 AS size FROM log_places WHERE log = ?'),
    unplaced:
      feed.prepare(`SELECT next_seq AS nextSeq, (SELECT MIN(from_seq) FROM log.audit_log_counts) AS firstSplit
      FROM projection_state WHERE id = 1`),
    placeOf: feed.prepare('SELECT log, place AS "index" FROM log_places WHERE seq = ?'),
    addPlace: feed.prepare('INSERT INTO log_places (seq, log, place) VALUES (?, ?, ?)'),
    node: feed.prepare('SELECT hash FROM tree_nodes WHERE position = ?'),
    addNodes: prepareInserts(feed, 'tree_nodes', ['position', 'hash']),
    clear: DERIVED_TABLES.map((table) => feed.prepare(`DELETE FROM ${table}`)).concat(
      feed.prepare('UPDATE projection_state SET next_seq = 0 WHERE id = 1'),
    ),
  }
}
