import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import knex from 'knex'
import { openSqliteDatabase } from '../../server/store/database/database.sqlite.ts'
import { migrations } from '../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../server/store/database/numberedMigration.ts'
import { buildRecord } from '../builders/buildRecord.ts'
import { createPostgresDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { queryPostgres } from '../harness/database/queryPostgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

const CHILD = new URL('../harness/database/migrateUntilKilled.ts', import.meta.url).pathname
const { events, kills } = {
  none: { events: 2_000, kills: 3 },
  short: { events: 50_000, kills: 12 },
  full: { events: 1_000_000, kills: 20 },
}[faultMode]
/** The first version with a log; the old database has this version. */
const OLD = 3
const LONGEST_MS = 60_000

/** Starts a migration and kills it after the given time; returns whether it had finished by then. */
async function migrate(
  place: readonly string[],
  killAfterMs: number,
): Promise<{ code: number | null; ms: number }> {
  const child = spawn(process.execPath, [CHILD, ...place], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const begun = performance.now()
  const exited = once(child, 'exit') as Promise<[number | null]>
  const isOver = await Promise.race([exited.then(() => true), pause(killAfterMs, false, { ref: false })])
  if (!isOver) child.kill('SIGKILL')
  const [code] = await exited
  return { code, ms: performance.now() - begun }
}

describe('a migration that is killed', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)

  it('is finished by the next start, with the log unchanged', async () => {
    const folder = createTemporaryFolder()
    const files = filesIn(folder.path)
    const place = [files.databaseFile, files.feedFile]
    await openOld(files.databaseFile)
    const before = summary(files.databaseFile)
    const old = join(folder.path, 'old')
    copyFileSync(files.databaseFile, old)
    const { ms } = await migrate(place, LONGEST_MS)
    const fresh = createTemporaryFolder()
    await (await openSqliteDatabase(filesIn(fresh.path))).close()
    const wanted = tablesOf(filesIn(fresh.path).databaseFile)
    let cut = 0
    for (let kill = 0; kill < kills; kill += 1) {
      for (const end of ['', '-wal', '-shm']) {
        for (const file of place) rmSync(`${file}${end}`, { force: true })
      }
      copyFileSync(old, files.databaseFile)
      const { code } = await migrate(place, (ms * (kill + 1)) / (kills + 1))
      if (code === null) cut += 1
      expect((await migrate(place, LONGEST_MS)).code).to.equal(0)
      expect(summary(files.databaseFile)).to.deep.equal(before)
      expect(tablesOf(files.databaseFile)).to.deep.equal(wanted)
    }
    reportFaultFigure(
      `SQLite, ${events} events: ${cut} of ${kills} starts killed during the migration; counts, hashes and tables equal`,
    )
    fresh.remove()
    folder.remove()
  })

  it('is finished by the next start on PostgreSQL', async function () {
    if (!testsPostgres) this.skip()
    const { url, drop } = await createPostgresDatabase()
    const { ms } = await migrate(['', '', url], LONGEST_MS)
    const wanted = await queryPostgres(url, 'SELECT name FROM knex_migrations ORDER BY id')
    const killed = await createPostgresDatabase()
    let cut = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const { code } = await migrate(['', '', killed.url], (ms * (kill + 1)) / (kills + 1))
      if (code === null) cut += 1
    }
    expect((await migrate(['', '', killed.url], LONGEST_MS)).code).to.equal(0)
    expect(await queryPostgres(killed.url, 'SELECT name FROM knex_migrations ORDER BY id')).to.deep.equal(
      wanted,
    )
    reportFaultFigure(
      `PostgreSQL: ${cut} of ${kills} first starts killed during the migration; the next start finished it`,
    )
    await killed.drop()
    await drop()
  })
})

const filesIn = (folder: string) => ({
  databaseFile: join(folder, 'svc.sqlite'),
  feedFile: join(folder, 'feed.sqlite'),
})

/** Creates a database of the first version, filled with a log. */
async function openOld(file: string): Promise<void> {
  const connection = knex({
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
  })
  await connection.migrate.latest({ migrationSource: createMigrationSource(migrations.slice(0, OLD)) })
  await connection.destroy()
  const database = new Database(file)
  const insert = database.prepare(
    `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, owner_id, counterparty_owner_id, agent_id,
       endpoint_id, session_id, event_data, inputs, inputs_salt, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  database.transaction(() => {
    for (let seq = 0; seq < events; seq += 1) {
      const record = buildRecord()
      insert.run(
        seq,
        record.recordId,
        record.recordedAt,
        record.eventType,
        record.ownerId,
        record.counterpartyOwnerId,
        record.agentId,
        record.endpointId,
        record.sessionId,
        record.eventData,
        record.inputs,
        record.inputsSalt,
        record.entry,
      )
    }
  })()
  database.close()
}

/** Counts the records and hashes all of them. */
function summary(file: string): { count: number; hash: string } {
  const database = new Database(file, { readonly: true })
  const hash = createHash('sha256')
  let count = 0
  for (const row of database.prepare('SELECT * FROM audit_records ORDER BY seq').raw().iterate()) {
    hash.update(JSON.stringify(row))
    count += 1
  }
  database.close()
  return { count, hash: hash.digest('hex') }
}

function tablesOf(file: string): unknown[] {
  const database = new Database(file, { readonly: true })
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'knex%' ORDER BY name")
    .all()
  database.close()
  return tables
}
