import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { openSqliteDatabase } from '../../server/store/database/database.sqlite.ts'
import { createDisk, type Loss } from '../harness/database/powerLoss/createDisk.ts'
import { readWriteLog } from '../harness/database/powerLoss/readWriteLog.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

const CHILD = new URL('../harness/database/powerLoss/recordGroups.ts', import.meta.url).pathname
const SHIM = new URL('../harness/database/powerLoss/logWrites.c', import.meta.url).pathname
const COMPILER = 'gcc'
const { groups, points } = {
  none: { groups: 24, points: 24 },
  short: { groups: 60, points: 60 },
  full: { groups: 400, points: 1_200 },
}[faultMode]
const LOSSES: readonly Loss[] = ['drop', 'reorder', 'tear']
const ANSWERS = 'answers'

describe('power lost at any write of the recorder', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  const folder = createTemporaryFolder()
  const shim = join(folder.path, 'logWrites.so')
  /** The database before the first record. */
  const initial: Record<string, Buffer> = {}

  before(async function () {
    if (process.platform !== 'linux' || spawnSync(COMPILER, ['--version']).status !== 0) this.skip()
    execFileSync(COMPILER, ['-shared', '-fPIC', '-O1', '-o', shim, SHIM, '-ldl', '-lpthread'])
    const fresh = join(folder.path, 'fresh')
    mkdirSync(fresh)
    const files = { databaseFile: join(fresh, 'svc.sqlite'), feedFile: join(fresh, 'feed.sqlite') }
    const db = await openSqliteDatabase(files)
    await db.close()
    for (const name of readdirSync(fresh)) initial[name] = readFileSync(join(fresh, name))
  })
  after(() => folder.remove())

  /** Runs the recorder once, and cuts the power at points spread over all its writes. */
  function cutPower(syncs: 'synced' | 'unsynced') {
    const logged = join(folder.path, syncs)
    const log = join(folder.path, `${syncs}.log`)
    mkdirSync(logged)
    for (const [name, bytes] of Object.entries(initial)) writeFileSync(join(logged, name), bytes)
    execFileSync(process.execPath, [CHILD, logged, String(groups), syncs], {
      env: { ...process.env, LD_PRELOAD: shim, LOGGED_DIR: logged, LOG_FILE: log },
    })
    const operations = readWriteLog(readFileSync(log))
    const disk = createDisk(initial, createRandom(7))
    const answered: string[] = []
    const seen = { points: 0, answered: 0, losing: 0, lost: 0, corrupt: 0 }
    for (const [at, operation] of operations.entries()) {
      if (operation.file === ANSWERS) answered.push(...operation.data.toString().split('\n').filter(Boolean))
      else disk.perform(operation)
      if (
        Math.floor(((at + 1) * points) / operations.length) === Math.floor((at * points) / operations.length)
      )
        continue
      const found = reopen(disk.afterPowerLoss(LOSSES[seen.points % LOSSES.length] ?? 'drop'))
      const lost = answered.filter((id) => !found?.has(id)).length
      seen.points += 1
      seen.answered = answered.length
      seen.lost += lost
      seen.losing += Number(lost > 0)
      seen.corrupt += Number(found === null)
    }
    return seen
  }

  /** Returns the identifiers of the intact records, or null if the file is corrupt. */
  function reopen(files: Map<string, Buffer>): Set<string> | null {
    const place = join(folder.path, 'reopened')
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    for (const [name, bytes] of files) {
      if (!name.endsWith('-shm')) writeFileSync(join(place, name), bytes)
    }
    const database = new Database(join(place, 'svc.sqlite'))
    try {
      if (database.pragma('integrity_check', { simple: true }) !== 'ok') return null
      const rows = database
        .prepare('SELECT seq, record_id AS id, event_data AS event, entry FROM audit_records ORDER BY seq')
        .all() as { seq: number; id: string; event: string; entry: string }[]
      for (const [at, { seq, id, event, entry }] of rows.entries()) {
        expect(seq).to.equal(at)
        expect(JSON.parse(entry).recordId).to.equal(id)
        expect(JSON.parse(event)).to.be.an('object')
      }
      return new Set(rows.map(({ id }) => id))
    } catch (error) {
      if (error instanceof Database.SqliteError) return null
      throw error
    } finally {
      database.close()
    }
  }

  it('loses no returned decision and leaves no corrupt file', () => {
    const seen = cutPower('synced')
    reportFaultFigure(
      `${seen.points} cuts: ${seen.lost} returned decisions lost, ${seen.corrupt} databases corrupt`,
    )
    expect(seen.answered).to.be.above(groups)
    expect(seen).to.deep.include({ losing: 0, lost: 0, corrupt: 0 })
  })

  it('would lose returned decisions without a sync per answer, and this test would detect it', () => {
    const seen = cutPower('unsynced')
    reportFaultFigure(`control without syncs: losses at ${seen.losing} of ${seen.points} cuts`)
    expect(seen.losing).to.be.above(seen.points / 2)
    expect(seen.corrupt).to.equal(0)
  })
})

/** Generates the same numbers in every run. Source: SplitMix (Steele et al., 2014). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
  }
}
