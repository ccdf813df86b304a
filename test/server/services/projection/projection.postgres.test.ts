import { expect } from 'chai'
import { discardForeignFeed, projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { advisoryLocks } from '../../../../server/store/database/locks/locks.advisory.ts'
import {
  openPostgresProjection,
  type PostgresProjection,
} from '../../../../server/store/feed/projection.postgres.ts'
import { createSqliteProjectionStore } from '../../../../server/store/feed/projectionStore.sqlite.ts'
import { AGENT_OWNER, buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'

const TABLES = {
  party_events: ['party_id', 'seq'],
  record_positions: ['record_id'],
  session_positions: ['session_id'],
  agent_behaviour: ['agent_id'],
  agent_spend: ['agent_id', 'endpoint_id', 'day', 'currency'],
  decision_counts: ['subject_id', 'facet', 'bucket', 'name'],
  tree_nodes: ['position'],
  log_places: ['seq'],
  projection_state: ['id'],
}

/** A log with every kind of record that the projection distinguishes. */
const RECORDS = Array.from({ length: 60 }, (_, nth) => {
  const agentId = nth % 7 === 0 ? null : `SVC-agent${nth % 5}`
  const currency = nth % 2 === 0 ? 'EUR' : undefined
  const sessionId = nth % 5 === 0 ? `session-${nth % 2}` : undefined
  const bought = { recommendation: 'grant', transactionValue: 0.1 + nth / 2, currency, sessionId }
  const dimensions = [nth % 4 === 0 ? 'pdlss.limits' : 'pdlss.scope', 'trust.score']
  const denied = { recommendation: 'deny', countsAgainstAgent: nth % 2 === 0, dimensions, sessionId }
  return buildNumberedRecord(nth, {
    agentId,
    ...(nth % 4 === 0 ? { counterpartyOwnerId: AGENT_OWNER } : {}),
    ...(nth % 3 === 0 ? { eventType: 'verification.denied', eventData: denied } : {}),
    ...(nth % 3 === 1 ? { eventData: bought } : {}),
    ...(nth % 5 === 0 ? { sessionId: 'one-session' } : {}),
    ...(nth % 11 === 0 ? { ownerId: null } : {}),
  })
})

describe('the projection on PostgreSQL', () => {
  let database: AuditDatabase
  let url: string
  let projections: PostgresProjection[]

  before(function () {
    if (!testsPostgres) this.skip()
  })
  beforeEach(async () => {
    database = await openAuditDatabase('postgres')
    url = database.files.databaseUrl ?? ''
    projections = [await openPostgresProjection(url), await openPostgresProjection(url)]
  })
  afterEach(async () => {
    await Promise.all(projections.map((projection) => projection.close()))
    await database.close()
  })

  const project = (chunkMax?: number, nth = 0) =>
    projections[nth]?.run((store) => projectChunk(store, chunkMax))
  const feedOf = async ({ db }: AuditDatabase) => {
    const feed: Record<string, object[]> = {}
    for (const [table, order] of Object.entries(TABLES)) {
      const rows = await db.query(`feed.${table}`).select().orderBy(order)
      feed[table] = rows.map((row) => ({ ...row, ...(row.hash ? { hash: row.hash.toString('hex') } : {}) }))
    }
    return feed
  }

  /** Appends the records, after each twenty of them with the next number of logs. */
  async function appendTo({ db, append }: AuditDatabase, counts: readonly number[]) {
    for (const [nth, logs] of counts.entries()) {
      await append(RECORDS.slice(nth * 20, nth * 20 + 20))
      await db.transaction((trx) => createLogStore(db.query).setCount(trx, logs, advisoryLocks))
    }
    await append(RECORDS.slice(counts.length * 20))
  }

  async function feedOnSqlite(counts: readonly number[] = []) {
    const other = await openAuditDatabase('sqlite')
    await appendTo(other, counts)
    const store = createSqliteProjectionStore(other.files)
    projectChunk(store)
    store.close()
    const feed = await feedOf(other)
    await other.close()
    return feed
  }

  it('fills the feed as on SQLite, in one step or in many', async () => {
    await database.append(RECORDS)
    const expected = await feedOnSqlite()
    expect(await project()).to.equal(60)
    expect(await feedOf(database)).to.deep.equal(expected)
    await projections[0]?.run((store) => store.clear())
    for (let size = 7; size < 60; size += 7) expect(await project(7)).to.equal(size)
    expect(await project(7)).to.equal(60)
    expect(await feedOf(database)).to.deep.equal(expected)
  })

  it('gives records the same places as on SQLite while the number of logs changes', async () => {
    const counts = [4, 2]
    const expected = await feedOnSqlite(counts)
    await appendTo(database, counts)
    for (let size = 0; size < 60; ) size = (await project(7)) ?? 0
    expect(await feedOf(database)).to.deep.equal(expected)
    expect(new Set(expected.log_places?.map((row) => 'log' in row && row.log)).size).to.be.above(1)
    expect(await projections[0]?.run(discardForeignFeed)).to.equal(false)
    await projections[0]?.run((store) => store.clear())
    for (let size = 0; size < 60; ) size = (await project()) ?? 0
    expect(await feedOf(database)).to.deep.equal(expected)
  })

  it('is done by one process at a time, without repetitions', async () => {
    await database.append(RECORDS)
    const sizes = await Promise.all([0, 1, 0, 1].map((nth, call) => (call < 2 ? project(10, nth) : null)))
    expect(sizes.slice(0, 2)).to.have.members([10, 20])
    expect(await projections[0]?.nextSeq()).to.equal(20)
    while (((await project(10, 1)) ?? 60) < 60);
    expect(await feedOf(database)).to.deep.equal(await feedOnSqlite())
  })

  it('waits for a process that projects for long, and keeps answering how long the log is', async () => {
    await database.append(RECORDS)
    const patient = await openPostgresProjection(url, { lockMs: 300 })
    projections.push(patient)
    const held = await database.db.query.transaction()
    await held('feed.projection_state').where({ id: 1 }).forUpdate().select()
    const waiting = patient.run((store) => projectChunk(store))
    expect(await patient.logSize()).to.equal(60)
    expect(await waiting).to.equal(null)
    expect(await patient.nextSeq()).to.equal(0)
    await held.rollback()
    expect(await patient.run((store) => projectChunk(store))).to.equal(60)
  })

  it('writes nothing of a chunk that fails', async () => {
    await database.append(RECORDS)
    const failure = await projections[0]
      ?.run((store) => {
        projectChunk(store)
        throw new Error('a defect')
      })
      .catch((error: Error) => error.message)
    expect(failure).to.equal('a defect')
    expect((await feedOf(database)).party_events).to.deep.equal([])
    expect(await project()).to.equal(60)
  })

  it('is rebuilt over another log, and unchanged over its own', async () => {
    await database.append(RECORDS.slice(0, 10))
    await project()
    expect(await projections[0]?.run(discardForeignFeed)).to.equal(false)
    await database.db.query('audit_records').delete()
    await database.append(RECORDS.slice(20, 30))
    expect(await projections[0]?.run(discardForeignFeed)).to.equal(true)
    expect(await project()).to.equal(10)
    expect(await database.records.byRecordId(RECORDS[20]?.recordId ?? '')).to.include({ seq: 0 })
  })

  it('reads few of the events so far and changes none, also while the database has no statistics of them', async () => {
    const { query } = database.db
    await query.raw('ALTER TABLE feed.party_events SET (autovacuum_enabled = off)')
    await query.raw(
      `INSERT INTO feed.party_events (party_id, seq, event_type, recorded_at, purchase_id, is_first)
        SELECT ?, 1000000 + n, 'verification.completed', 1, 'purchase-' || n, 1 FROM generate_series(1, 10000) AS n`,
      [AGENT_OWNER],
    )
    await query.raw(`SELECT pg_stat_force_next_flush(), pg_stat_reset()`)
    await database.append(RECORDS)
    expect(await project()).to.equal(60)
    // The figures of a session are complete once it has ended.
    await Promise.all(projections.map((projection) => projection.close()))
    projections = []
    const { rows } = await query.raw(`SELECT
      (SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE relid = 'feed.party_events'::regclass)
        AS tuples,
      (SELECT n_tup_upd FROM pg_stat_user_tables WHERE relid = 'feed.party_events'::regclass) AS changes,
      (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relid = 'feed.party_events'::regclass) AS entries`)
    expect(rows[0].changes).to.equal(0)
    expect(Number(rows[0].tuples) + Number(rows[0].entries)).to.be.below(1_000)
  })
})
