import { expect } from 'chai'
import type { Knex } from 'knex'
import pg from 'pg'
import { buildIndexes } from '../../../../server/store/database/buildIndexes.postgres.ts'
import { openPostgresPool } from '../../../../server/store/database/connections/openPostgresPool.ts'
import { migratePostgres } from '../../../../server/store/database/migratePostgres.ts'
import { migrations } from '../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../server/store/database/numberedMigration.ts'
import { runMigrations } from '../../../../server/store/database/runMigrations.ts'
import {
  createPostgresDatabase,
  type PostgresDatabase,
  testsPostgres,
} from '../../../harness/database/postgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

/** The last migration of the release before the ones that this file runs. */
const FORMER = '0124_several_logs'
const INDEX = 'transaction_grants_granted_at'
const ADD_GRANT = `INSERT INTO transaction_grants (scope, granted_at, ordinal) VALUES (gen_random_uuid()::text, 1, 1)`

describe('tables of PostgreSQL that a former release is using', function () {
  this.timeout(60_000)
  let database: PostgresDatabase
  let request: Knex

  beforeEach(async function () {
    if (!testsPostgres) return this.skip()
    database = await createPostgresDatabase()
    request = openPostgresPool(database.url, { name: 'request', lockMs: 4_000 }, { pool: { min: 0, max: 5 } })
    const former = migrations.slice(0, migrations.findIndex(({ name }) => name === FORMER) + 1)
    await request.migrate.latest({ migrationSource: createMigrationSource(former) })
  })
  afterEach(async () => {
    await request?.destroy()
    await database?.drop()
  })

  /** Returns the index with its identity; undefined before it exists. */
  async function findIndex(): Promise<{ oid: number; valid: boolean } | undefined> {
    const { rows } = await request.raw(
      'SELECT indexrelid::integer AS oid, indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(?)',
      [INDEX],
    )
    return rows[0]
  }

  /** Starts to build the index as an earlier start did, and runs the work while it is incomplete. */
  async function whileBuilt(work: (builder: pg.Client, built: Promise<unknown>) => Promise<void>) {
    const builder = new pg.Client({ connectionString: database.url })
    builder.on('error', () => undefined)
    await builder.connect()
    try {
      const writer = await request.transaction()
      await writer.raw(ADD_GRANT)
      const built = builder.query(`CREATE INDEX CONCURRENTLY ${INDEX} ON transaction_grants (granted_at)`)
      built.catch(() => undefined)
      await waitUntil(async () => (await findIndex()) ?? null)
      await work(
        builder,
        built.finally(() => writer.rollback()),
      )
      if (!writer.isCompleted()) await writer.rollback()
      await built.catch(() => undefined)
    } finally {
      await builder.end()
    }
  }

  it('take writes while an index is built', async () => {
    const writer = await request.transaction()
    await writer.raw(ADD_GRANT)
    const migrated = migratePostgres(database.url)
    await waitUntil(async () => ((await findIndex())?.valid === false ? true : null))
    await request.raw(ADD_GRANT)
    await writer.commit()
    await migrated
    expect((await findIndex())?.valid).to.equal(true)
    expect(await request('knex_migrations').where({ name: migrations.at(-1)?.name })).to.have.length(1)
  })

  it('have an index built again if its build was interrupted', async () => {
    await whileBuilt(async (builder, built) => {
      await request.raw('SELECT pg_terminate_backend(?)', [
        (builder as unknown as { processID: number }).processID,
      ])
      await built.catch(() => undefined)
    })
    expect((await findIndex())?.valid).to.equal(false)
    await migratePostgres(database.url)
    expect((await findIndex())?.valid).to.equal(true)
  })

  it('keep an index that PostgreSQL still builds for a start that was killed', async () => {
    const migrated: Promise<void>[] = []
    let begun: number | undefined
    await whileBuilt(async () => {
      begun = (await findIndex())?.oid
      migrated.push(migratePostgres(database.url))
      await waitUntil(async () => {
        const { rows } = await request.raw(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-migrations' AND state = 'idle'
            AND query LIKE '%pg_stat_progress_create_index%' AND datname = current_database()`,
        )
        return rows.length > 0 ? true : null
      })
    })
    await Promise.all(migrated)
    expect(await findIndex()).to.deep.equal({ oid: begun, valid: true })
  })

  it('are migrated by two starts at once', async () => {
    await Promise.all([migratePostgres(database.url), migratePostgres(database.url)])
    expect((await findIndex())?.valid).to.equal(true)
  })

  it('are read and written while a migration waits for a backup', async () => {
    await request.schema.createTable('wide', (t) => void t.text('id'))
    const list = [...migrations]
    await migratePostgres(database.url)
    list.push({
      ...{ name: '9999_wide', oldestBeside: migrations.at(-1)?.name ?? '' },
      up: (schema) => schema.schema.alterTable('wide', (t) => void t.text('added')),
      down: async () => undefined,
    })
    const backup = await request.transaction()
    await backup('wide').select('id')
    const migrated = runMigrations(request, list, { place: 'here' })
    await waitUntil(async () => {
      const { rows } = await request.raw(
        'SELECT 1 FROM pg_locks WHERE relation = ?::regclass AND NOT granted',
        ['wide'],
      )
      return rows.length > 0 ? true : null
    })
    await request('wide').insert({ id: 'one' })
    await backup.commit()
    await migrated
    expect(await request('wide').select('id', 'added')).to.deep.equal([{ id: 'one', added: null }])
  })

  it('get no index in a transaction', async () => {
    const statements: string[] = []
    request.on('query', ({ sql }: { sql: string }) => statements.push(sql))
    for (let isDone = false; !isDone; ) {
      const { unbuilt } = await runMigrations(request, migrations, { place: 'here' })
      isDone = unbuilt.length === 0
      await buildIndexes(request, unbuilt)
    }
    const created = new Set(statements.flatMap((sql) => /^\s*create table "?(\w+)/i.exec(sql)?.[1] ?? []))
    const built = statements.flatMap(
      (sql) =>
        /create (?:unique )?index (?!concurrently\b).*? on "?(\w+)/i.exec(sql)?.[1] ??
        /alter table "?(\w+)"? add (?:constraint .*)?(?:unique|primary key)/i.exec(sql)?.[1] ??
        [],
    )
    expect(built.filter((table) => !created.has(table))).to.deep.equal([])
  })
})
