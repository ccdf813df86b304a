import { expect } from 'chai'
import type { Knex } from 'knex'
import { pollChanges } from '../../../../../server/store/database/changes/changes.polled.ts'
import { openTemporaryDatabase } from '../../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../../harness/database/postgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

describe('changes in rows', () => {
  before(function () {
    if (!testsPostgres) this.skip()
  })

  it('are refused if they commit so late that nobody asks for them any more', async () => {
    const { db, remove } = await openTemporaryDatabase('postgres', 'portable')
    const late = () =>
      db.query.transaction((trx) =>
        trx.raw(`INSERT INTO changes (said, made_at) VALUES ('late', now() - interval '31 seconds')`),
      )
    expect(await late().catch(({ message }: Error) => message)).to.contain('not committed within 30 seconds')
    expect(await db.query('changes').select('id')).to.deep.equal([])
    await remove()
  })

  /** A listener to changes in rows that are not refused however late they are committed. */
  async function openLateChanges(options: Parameters<typeof pollChanges>[2] = {}) {
    const { db, files, remove } = await openTemporaryDatabase('postgres', 'portable')
    await db.query.raw('ALTER TABLE changes DISABLE TRIGGER refuse_late_change')
    const heard: string[] = []
    const warnings: string[] = []
    let missed = 0
    const listen = () =>
      pollChanges(
        files.databaseUrl ?? '',
        {
          onChange: ({ kind }) => void heard.push(kind),
          onMissed: () => {
            missed += 1
          },
          log: { warn: (_, message) => void warnings.push(message) },
        },
        options,
      )
    const say = (run: Knex, change: string, minutesAgo = 0) =>
      run.raw(`INSERT INTO changes (said, made_at) VALUES (?, now() - make_interval(mins => ?))`, [
        change,
        minutesAgo,
      ])
    const hears = (change: string) => waitUntil(async () => (heard.includes(change) ? true : null))
    return { db, heard, warnings, listen, say, hears, remove, missed: () => missed }
  }

  it('arrive although their commit waits for many minutes, as for a lost synchronous standby', async () => {
    let now = 0
    const { db, listen, say, hears, remove } = await openLateChanges({ clock: () => now })
    const { stop } = await listen()
    const hanging = await db.query.transaction()
    await say(hanging, 'hanging')
    await say(db.query, 'other')
    await hears('other')
    for (const minutes of [2, 30, 59]) {
      now = minutes * 60_000
      await say(db.query, `after${minutes}`)
      await hears(`after${minutes}`)
    }
    await hanging.commit()
    now += 10_000
    await hears('hanging')
    await stop()
    await remove()
  }).timeout(30_000)

  it('arrive also at a process that starts while their commit waits', async () => {
    const { db, listen, say, hears, remove } = await openLateChanges()
    const hanging = await db.query.transaction()
    await say(hanging, 'hanging', 30)
    await say(db.query, 'other', 29)
    const { stop } = await listen()
    await hears('other')
    await hanging.commit()
    await hears('hanging')
    await stop()
    await remove()
  })

  it('arrive without interruption although old ones cannot be deleted', async () => {
    const { db, warnings, listen, say, hears, remove, missed } = await openLateChanges({ sweepMs: 0 })
    await say(db.query, 'old', 180)
    await say(db.query, 'less old', 170)
    const holding = await db.query.transaction()
    await holding.raw('SELECT id FROM changes FOR UPDATE')
    const { stop } = await listen()
    await waitUntil(async () => (warnings.length > 0 ? true : null))
    expect(warnings).to.deep.equal(['changes that all processes have read cannot be deleted'])
    await holding.rollback()
    await say(db.query, 'new')
    await hears('new')
    expect(missed()).to.equal(1)
    await stop()
    await remove()
  }).timeout(10_000)

  it('are deleted after two hours, except the number from which a later listener counts', async () => {
    const { db, files, remove } = await openTemporaryDatabase('postgres', 'portable')
    const heard: string[] = []
    const listen = () =>
      pollChanges(
        files.databaseUrl ?? '',
        {
          onChange: ({ kind }) => void heard.push(kind),
          onMissed: () => undefined,
          log: { warn: () => undefined },
        },
        { sweepMs: 0 },
      )
    const storedIds = () => db.query('changes').orderBy('id').pluck('id')
    await db.query.raw('ALTER TABLE changes ALTER id RESTART WITH 1000000000')
    for (const change of ['first', 'second', 'third']) await db.query.raw('SELECT tell_change(?)', [change])
    await db.query.raw(`UPDATE changes SET made_at = now() - interval '121 minutes'`)
    const earlier = await listen()
    await waitUntil(async () => ((await storedIds()).length === 1 ? true : null))
    await earlier.stop()
    expect(await storedIds()).to.deep.equal([1_000_000_002])
    // Counting from zero, this listener would look for a billion missing numbers.
    const later = await listen()
    await db.query.raw(`SELECT tell_change('fourth')`)
    await waitUntil(async () => (heard.includes('fourth') ? true : null))
    expect(await storedIds()).to.deep.equal([1_000_000_002, 1_000_000_003])
    await later.stop()
    await remove()
    expect(heard).to.deep.equal(['fourth'])
  })
})
