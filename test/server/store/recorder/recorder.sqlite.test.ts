import Database from 'better-sqlite3'
import { expect } from 'chai'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createWriteLock } from '../../../../server/store/database/locks/writeLock.ts'
import { createSqliteRecorder } from '../../../../server/store/recorder/recorder.sqlite.ts'
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

  describe('with slow syncs', () => {
    /** The sync in progress, as a test ends it. */
    let sync: PromiseWithResolvers<void>
    let patient: Recorder

    beforeEach(() => {
      sync = Promise.withResolvers<void>()
      const syncs = { sync: () => sync.promise, close: async () => undefined }
      patient = createSqliteRecorder(temporary.files.databaseFile, createWriteLock(), {
        openSyncs: () => syncs,
      })
    })
    afterEach(async () => {
      sync.resolve()
      await patient.close()
    })

    const recordMany = (amount: number) => Array.from({ length: amount }, () => patient.record(plain(null)))
    const nextTurn = () => new Promise(setImmediate)

    it('answers no outcome before it is on disk, although it is committed', async () => {
      let isAnswered = false
      const [first] = recordMany(1)
      void first?.then(() => {
        isAnswered = true
      })
      await nextTurn()
      expect([await sequence(), isAnswered]).to.deep.equal([[0], false])
      sync.resolve()
      await first
      expect(isAnswered).to.equal(true)
    })

    it('gathers outcomes during a sync, and commits them meanwhile only if they are many', async () => {
      const first = recordMany(1)
      await nextTurn()
      const few = recordMany(31)
      await nextTurn()
      expect(await sequence()).to.have.length(1)
      const enough = recordMany(1)
      await nextTurn()
      expect(await sequence()).to.have.length(33)
      const gathered = recordMany(1)
      sync.resolve()
      await Promise.all([...first, ...few, ...enough, ...gathered])
      expect(await sequence()).to.have.length(34)
    })

    it('stops for good when a sync fails, and rejects what was committed or gathered meanwhile', async () => {
      const committed = recordMany(1)
      await nextTurn()
      const gathered = recordMany(1)
      sync.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }))
      const settled = await Promise.allSettled([...committed, ...gathered])
      expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
      expect(patient.failure()).to.equal('the disk failed to sync (EIO); restart after checking the disk')
      expect(patient.isFailing()).to.equal(true)
      sync = Promise.withResolvers<void>()
      sync.resolve()
      expect((await Promise.allSettled(recordMany(1)))[0]?.status).to.equal('rejected')
    })
  })
})
