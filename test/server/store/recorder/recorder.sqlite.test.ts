import Database from 'better-sqlite3'
import { expect } from 'chai'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { PROBE, type Recorder, type RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

function plain<Result>(result: Result): RecordIntent<Result> {
  return { counters: null, approval: null, decide: () => commitmentOf([buildRecord()], result) }
}

/** An outcome in whose group the disk fails after its record was written. */
function onBrokenDisk(): RecordIntent<null> {
  const diskError = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
  return {
    counters: null,
    approval: null,
    decide: () => ({
      ...commitmentOf([buildRecord()], null),
      get spend(): never {
        throw diskError
      },
    }),
  }
}

describe('the recorder of SQLite alone', () => {
  let temporary: TemporaryDatabase
  let recorder: Recorder

  beforeEach(async () => {
    temporary = await openTemporaryDatabase('sqlite')
    recorder = temporary.openRecorder()
  })
  afterEach(async () => {
    await recorder.close()
    await temporary.remove()
  })

  const sequence = async () =>
    (await temporary.db.query('audit_records').select('seq').orderBy('seq')).map((row) => Number(row.seq))

  it('stores nothing of a group whose commit fails, and recovers', async () => {
    const repeated = buildRecord()
    const broken = { ...repeated, recordId: null as unknown as string }
    const intents = [buildRecord(), broken].map((record) =>
      recorder.record({ counters: null, approval: null, decide: () => commitmentOf([record], null) }),
    )
    const settled = await Promise.allSettled(intents)
    expect(settled.map((one) => one.status)).to.deep.equal(['rejected', 'rejected'])
    expect(await sequence()).to.deep.equal([])
    expect(recorder.failure()).to.equal(null)
    await recorder.record(plain(null))
    expect(await sequence()).to.deep.equal([0])
  })

  it('is failing from a failed commit to the next one, which a probe can be', async () => {
    const broken = { ...buildRecord(), recordId: null as unknown as string }
    const fail = { counters: null, approval: null, decide: () => commitmentOf([broken], null) }
    await recorder.record(fail).catch(() => undefined)
    expect(recorder.isFailing()).to.equal(true)
    await recorder.record(PROBE)
    expect(recorder.isFailing()).to.equal(false)
  })

  it('writes for a probe, although nothing is recorded', async () => {
    const other = new Database(temporary.files.databaseFile)
    const version = () => other.pragma('data_version', { simple: true })
    const before = version()
    await recorder.record(plain(null))
    const changed = version()
    await recorder.record(PROBE)
    expect(new Set([before, changed, version()]).size).to.equal(3)
    other.close()
    expect(await sequence()).to.deep.equal([0])
  })

  it('counts no grant of a group whose commit fails', async () => {
    const counted: (number | null)[] = []
    const granting = (record: ReturnType<typeof buildRecord>) =>
      recorder.record({
        counters: buildCounterQuery({ agentScope: 'agent' }),
        approval: null,
        decide: ({ agentGrants }) => {
          counted.push(agentGrants)
          return { ...commitmentOf([record], null), grants: [{ scope: 'agent', grantedAt: 1, since: 0 }] }
        },
      })
    await granting(buildRecord())
    const broken = { ...buildRecord(), recordId: null as unknown as string }
    await Promise.allSettled([granting(buildRecord()), granting(buildRecord()), granting(broken)])
    await granting(buildRecord())
    await granting(buildRecord())
    expect(counted).to.deep.equal([0, 1, 2, 3, 1, 2])
  })

  it('waits for an open transaction of the query builder instead of blocking the process', async () => {
    const { db } = temporary
    let release: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      const held = new Promise<void>((free) => {
        release = free
      })
      db.transaction(async (trx) => {
        await trx('leases').insert({ name: 'x', holder: 'y', expires_at: 0 })
        resolve()
        await held
      })
    })
    await opened
    const recorded = recorder.record(plain('after'))
    release()
    expect(await recorded).to.equal('after')
  })

  it('blocks nothing else while another connection writes, and records once it has ended', async () => {
    const other = new Database(temporary.files.databaseFile)
    other.exec('BEGIN IMMEDIATE')
    const recorded = [recorder.record(plain('first')), recorder.record(plain('second'))]
    // Ended by a timer of this process, which would not fire during a synchronous wait.
    setTimeout(() => other.exec('ROLLBACK'), 300)
    expect(await Promise.all([...recorded, recorder.record(plain('third'))])).to.deep.equal([
      'first',
      'second',
      'third',
    ])
    other.close()
    expect(await sequence()).to.deep.equal([0, 1, 2])
  })

  it('refuses with 503 and stores nothing while another process writes for long, and recovers', async () => {
    const other = new Database(temporary.files.databaseFile)
    other.exec('BEGIN IMMEDIATE')
    const refused = await recorder.record(plain(null)).catch((error: unknown) => error)
    expect(refused).to.deep.include({ code: 'SERVICE_UNAVAILABLE', status: 503 })
    other.exec('ROLLBACK')
    other.close()
    expect(await recorder.record(plain('recorded'))).to.equal('recorded')
    expect(await sequence()).to.deep.equal([0])
    expect(recorder.failure()).to.equal(null)
  })

  it('acknowledges nothing after the disk has failed, not even outcomes that waited for several groups', async () => {
    const failing = temporary.openRecorder()
    const failed = failing.record(onBrokenDisk())
    const others = Array.from({ length: 600 }, () => failing.record(plain(null)))
    const settled = await Promise.allSettled([failed, ...others])
    expect(new Set(settled.map(({ status }) => status))).to.deep.equal(new Set(['rejected']))
    expect(await sequence()).to.deep.equal([])
    await failing.close()
  })

  it('stops permanently after the disk has failed', async () => {
    const failing = temporary.openRecorder()
    const failed = failing.record(onBrokenDisk())
    expect(await failed.catch((error: { code: string }) => error.code)).to.equal('SERVICE_UNAVAILABLE')
    expect(failing.failure()).to.contain('SQLITE_IOERR_FSYNC')
    const refused = failing.record(plain(null))
    expect(await refused.catch((error: { code: string }) => error.code)).to.equal('SERVICE_UNAVAILABLE')
    expect(await sequence()).to.deep.equal([])
    await failing.close()
  })
})
