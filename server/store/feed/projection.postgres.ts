import { locatePeaks } from '@svc/core/audit/merkleTree.ts'
import pg from 'pg'
import type { LogCount, LogPlace } from '../audit/logStore.ts'
import { nodePositionOf } from '../audit/treeStore.ts'
import { codeOf } from '../database/codeOf.ts'
import {
  buildPostgresConnection,
  type PostgresOptions,
} from '../database/connections/buildPostgresConnection.ts'
import { buildFeedStatements } from './feedStatements.ts'
import { readSizes } from './logSizes.postgres.ts'
import { PARTY_EVENT_COLUMNS, partyEventValues } from './partyEventColumns.ts'
import { type Behaviour, createProjectionStage, type ProjectionStage } from './projectionStage.ts'
import type { LoggedRecord, PlacedEvent, ProjectionStore } from './projectionStore.ts'

/**
 * Maximum number of records per transaction: other processes wait for it before they can report that they are up to date.
 */
const CHUNK_MAX = 4_000

/**
 * Has every statement look up each of its rows by an index, planned for the number of them. Without statistics of a table,
 * which are missing or outdated after it has grown fast, the planner would rather read all of it.
 */
const BY_INDEX =
  '-c plan_cache_mode=force_custom_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

/** SQLSTATE. Source: PostgreSQL 15 appendix A. */
const [LOCK_NOT_AVAILABLE, IN_FAILED_TRANSACTION] = ['55P03', '25P02']

export type PostgresProjection = {
  logSize(): Promise<number>
  /** Reads the feed’s progress, whichever process advanced it. */
  nextSeq(): Promise<number>
  /**
   * Runs a projector on the next chunk, in a transaction that excludes other processes; null if another process has been
   * projecting for longer than a lock is waited for.
   */
  run<Result>(project: (store: ProjectionStore) => Result): Promise<Result | null>
  close(): Promise<void>
}

/**
 * The projection on PostgreSQL: reads everything the projector may ask for before it runs, and stores its writes
 * afterwards.
 *
 * The same projector therefore runs on both databases, and its thousands of lookups become a few statements. The row with
 * the feed’s progress, locked, is the lease of the projecting process; it ends with its transaction, however the process
 * ends. Commits to the feed are not synced, because the feed is rebuilt from the log after a power failure.
 */
export async function openPostgresProjection(
  url: string,
  limits: Pick<PostgresOptions, 'lockMs'> = {},
): Promise<PostgresProjection> {
  const client = new pg.Client(
    await buildPostgresConnection(url, {
      ...{ name: 'projection', pipeline: true, parameters: BY_INDEX },
      ...limits,
    }),
  )
  await client.connect()
  let last: Promise<unknown> = Promise.resolve()

  async function runNow<Result>(project: (store: ProjectionStore) => Result): Promise<Result | null> {
    let isHeld = false
    try {
      const [, , state] = await Promise.all([
        client.query('BEGIN'),
        client.query('SET LOCAL synchronous_commit = off'),
        client.query<{ next_seq: number }>(
          'SELECT next_seq FROM feed.projection_state WHERE id = 1 FOR UPDATE',
        ),
      ])
      isHeld = true
      const stage = await load(client, state.rows[0]?.next_seq ?? 0)
      const result = project(stage.store)
      await Promise.all([...store(client, stage), client.query('COMMIT')])
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if (!isHeld && codeOf(error) === LOCK_NOT_AVAILABLE) return null
      throw error
    }
  }

  /** Reads a number, again if it was asked for within a transaction that failed, which is reported by itself. */
  async function readNumber(text: string): Promise<number> {
    try {
      return await queryNumber(text)
    } catch (error) {
      if (codeOf(error) !== IN_FAILED_TRANSACTION) throw error
      await last.catch(() => undefined)
      return queryNumber(text)
    }
  }

  async function queryNumber(text: string): Promise<number> {
    const { rows } = await client.query<{ value: number }>(text)
    return rows[0]?.value ?? 0
  }

  return {
    run(project) {
      const running = runNow(project)
      last = running
      return running
    },
    logSize: () => readNumber('SELECT COALESCE(MAX(seq) + 1, 0) AS value FROM audit_records'),
    nextSeq: () => readNumber('SELECT next_seq AS value FROM feed.projection_state WHERE id = 1'),
    close: () => client.end(),
  }
}

async function load(client: pg.Client, nextSeq: number): Promise<ProjectionStage> {
  // The preceding record is compared with the last leaf by `discardForeignFeed`.
  const fromSeq = Math.max(0, nextSeq - 1)
  const nodesOf = (sizes: readonly number[], last: LogPlace | null) =>
    client.query<{ position: number; hash: Uint8Array }>({
      name: 'nodes',
      text: 'SELECT position, hash FROM feed.tree_nodes WHERE position = ANY ($1::bigint[])',
      values: [
        [
          ...sizes.flatMap((size, log) => locatePeaks(size).map((address) => nodePositionOf(address, log))),
          ...(last === null ? [] : [nodePositionOf({ level: 0, index: last.index }, last.log)]),
        ],
      ],
    })
  const ofOneLog = { sizes: [nextSeq], last: { log: 0, index: fromSeq } }
  // The counts are read after the records: whoever sees a record sees which logs there were when it got its place.
  const [records, changes, nodesOfOneLog] = await Promise.all([
    client.query<LoggedRecord>({
      name: 'records',
      text: `SELECT seq, record_id AS "recordId", recorded_at AS "recordedAt", event_type AS "eventType",
          owner_id AS "ownerId", agent_id AS "agentId",
          endpoint_id AS "endpointId", counterparty_owner_id AS "counterpartyOwnerId", event_data AS "eventData", entry
        FROM audit_records WHERE seq >= $1 ORDER BY seq LIMIT $2`,
      values: [fromSeq, CHUNK_MAX + 1],
    }),
    client.query<LogCount>({
      name: 'log_counts',
      text: 'SELECT from_seq AS "fromSeq", logs FROM audit_log_counts ORDER BY from_seq',
    }),
    nodesOf(ofOneLog.sizes, ofOneLog.last),
  ])
  const counts = changes.rows
  const agentIds = new Set(records.rows.flatMap(({ agentId }) => agentId ?? []))
  const [behaviours, { sizes, last }] = await Promise.all([
    client.query<Omit<Behaviour, 'sources'> & { sources: string }>({
      name: 'behaviours',
      text: `SELECT agent_id AS "agentId", grants, violations, updated_at AS at, sources FROM feed.agent_behaviour
      WHERE agent_id = ANY ($1::text[])`,
      values: [[...agentIds]],
    }),
    counts.length === 0 ? ofOneLog : readSizes(client, counts, { nextSeq, lastSeq: fromSeq }),
  ])
  const nodes = counts.length === 0 ? nodesOfOneLog : await nodesOf(sizes, last)
  return createProjectionStage({
    nextSeq,
    records: records.rows,
    nodes: new Map(nodes.rows.map(({ position, hash }) => [position, hash])),
    behaviours: behaviours.rows.map((row) => ({ ...row, sources: JSON.parse(row.sources) })),
    ...{ counts, sizes, last },
  })
}

const DERIVED_TABLES =
  'party_events, record_positions, session_positions, agent_behaviour, agent_spend, decision_counts, tree_nodes, log_places'

const LOOK_UPS = buildFeedStatements({ log: '', feed: 'feed.', from: '$1', to: '$2', insert: 'INSERT' })

/** The arrays of `ADD_EVENTS`: one per column, and whether each event is the first of its purchase in the chunk. */
function columnsOf(events: readonly PlacedEvent[]): unknown[][] {
  const rows = events.map((event) => [
    ...partyEventValues(event, event.standing),
    event.seq === event.firstSeq,
  ])
  return [...PARTY_EVENT_COLUMNS, 'is_first'].map((_, at) => rows.map((row) => row[at]))
}

const TYPES: Readonly<Record<string, string>> = { seq: 'bigint', recorded_at: 'bigint', amount: 'float8' }

/**
 * The index of purchases finds a purchase whatever the statistics say: the sum keeps the planner from those of first events,
 * some of which would read all first events of the party for each purchase. `NOT EXISTS` could be planned as a hash of all.
 */
const IS_FIRST = 'is_first + 0 = 1'

/**
 * The first event of a purchase says what the purchase came to; only if an earlier chunk opened it is that event changed,
 * because a change is a new entry in each index of the table.
 */
const ADD_EVENTS = `WITH fresh AS MATERIALIZED (
    SELECT new.*, new.is_first AND
        (SELECT old.is_first FROM feed.party_events AS old
          WHERE old.party_id = new.party_id AND old.purchase_id = new.purchase_id AND old.${IS_FIRST}) IS NULL AS opens
      FROM unnest(${PARTY_EVENT_COLUMNS.map((name, at) => `$${at + 1}::${TYPES[name] ?? 'text'}[]`).join(', ')},
        $${PARTY_EVENT_COLUMNS.length + 1}::bool[]) AS new (${PARTY_EVENT_COLUMNS.join(', ')}, is_first)
  ), added AS (
    INSERT INTO feed.party_events (${PARTY_EVENT_COLUMNS.join(', ')}, is_first)
    SELECT ${PARTY_EVENT_COLUMNS.map((name) => (name === 'standing' ? 'CASE WHEN opens THEN standing END' : name)).join(', ')},
        CASE WHEN opens THEN 1 ELSE 0 END
      FROM fresh
  )
  UPDATE feed.party_events AS event SET standing = fresh.standing
    FROM fresh
    WHERE fresh.is_first AND NOT fresh.opens AND fresh.standing IS NOT NULL
      AND event.party_id = fresh.party_id AND event.purchase_id = fresh.purchase_id AND event.${IS_FIRST}`

function store(client: pg.Client, { written }: ProjectionStage): Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  const send = (name: string, text: string, values: unknown[]) =>
    sent.push(client.query({ name, text, values }))
  if (written.isCleared) {
    for (const table of DERIVED_TABLES.split(', ')) send(`clear_${table}`, `DELETE FROM feed.${table}`, [])
  }
  if (written.events.length > 0) send('add_events', ADD_EVENTS, columnsOf(written.events))
  for (const part of written.lookUps) {
    for (const [i, text] of LOOK_UPS.entries()) send(`look_up_${i}`, text, [part.fromSeq, part.toSeq])
  }
  const behaviours = [...written.behaviours]
  send(
    'set_behaviours',
    `INSERT INTO feed.agent_behaviour (agent_id, grants, violations, updated_at, sources)
      SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::text[])
      ON CONFLICT (agent_id) DO UPDATE SET grants = excluded.grants, violations = excluded.violations,
      updated_at = excluded.updated_at, sources = excluded.sources`,
    [
      behaviours.map(([agentId]) => agentId),
      behaviours.map(([, { grants }]) => grants),
      behaviours.map(([, { violations }]) => violations),
      behaviours.map(([, { at }]) => at),
      behaviours.map(([, { sources }]) => JSON.stringify(sources)),
    ],
  )
  const { spend, decisions } = written
  send(
    'add_spend',
    `INSERT INTO feed.agent_spend
      (agent_id, endpoint_id, day, currency, amount, purchases, unproven_amount, unproven_purchases)
      SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::numeric[], $6::int[], $7::numeric[], $8::int[])
      ON CONFLICT (agent_id, endpoint_id, day, currency)
      DO UPDATE SET amount = trim_scale(agent_spend.amount + excluded.amount),
      purchases = agent_spend.purchases + excluded.purchases,
      unproven_amount = trim_scale(agent_spend.unproven_amount + excluded.unproven_amount),
      unproven_purchases = agent_spend.unproven_purchases + excluded.unproven_purchases`,
    [
      spend.map(({ agentId }) => agentId),
      spend.map(({ endpointId }) => endpointId),
      spend.map(({ day }) => day),
      spend.map(({ currency }) => currency),
      spend.map(({ amount }) => amount),
      spend.map(({ purchases }) => purchases),
      spend.map(({ unprovenAmount }) => unprovenAmount),
      spend.map(({ unprovenPurchases }) => unprovenPurchases),
    ],
  )
  send(
    'add_decisions',
    `INSERT INTO feed.decision_counts (subject_id, facet, bucket, name, decisions, last_at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::bigint[], $6::bigint[])
      ON CONFLICT (subject_id, facet, bucket, name)
      DO UPDATE SET decisions = decision_counts.decisions + excluded.decisions,
      last_at = greatest(decision_counts.last_at, excluded.last_at)`,
    [
      decisions.map(({ subjectId }) => subjectId),
      decisions.map(({ facet }) => facet),
      decisions.map(({ bucket }) => bucket),
      decisions.map(({ name }) => name),
      decisions.map(({ decisions: count }) => count),
      decisions.map(({ lastAt }) => lastAt),
    ],
  )
  send(
    'add_nodes',
    'INSERT INTO feed.tree_nodes (position, hash) SELECT * FROM unnest($1::bigint[], $2::bytea[])',
    [written.nodes.map(({ position }) => position), written.nodes.map(({ hash }) => Buffer.from(hash))],
  )
  if (written.places.length > 0)
    send(
      'add_places',
      'INSERT INTO feed.log_places (seq, log, place) SELECT * FROM unnest($1::bigint[], $2::int[], $3::bigint[])',
      [
        written.places.map(({ seq }) => seq),
        written.places.map(({ log }) => log),
        written.places.map(({ index }) => index),
      ],
    )
  send('set_next_seq', 'UPDATE feed.projection_state SET next_seq = $1 WHERE id = 1', [written.nextSeq])
  return sent
}
