import { expect } from 'chai'
import { createIdempotencyStore } from '../../../../server/store/recorder/idempotencyStore.ts'
import type { Recorder } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`the recorder on ${kind} under an Idempotency-Key`, () => {
    before(function () {
      if (kind === 'postgres' && !testsPostgres) this.skip()
    })

    let opened: TemporaryDatabase
    let recorder: Recorder

    beforeEach(async () => {
      opened = await openTemporaryDatabase(kind)
      recorder = opened.openRecorder()
    })
    afterEach(async () => {
      await recorder.close()
      await opened.remove()
    })

    const record = (claimId: string | undefined, answer?: object) =>
      recorder.record({
        counters: null,
        approval: null,
        ...(claimId === undefined ? {} : { claimId, sealAnswer: (kept) => JSON.stringify(kept) }),
        decide: () => ({
          records: [buildRecord()],
          grants: [],
          spend: null,
          subAgent: null,
          newApproval: null,
          consumedApprovalId: null,
          result: 'done',
          ...(answer === undefined ? {} : { buildAnswer: () => answer }),
        }),
      })

    it('marks the use in the outcome’s own transaction', async () => {
      const claims = createIdempotencyStore(opened.db.query)
      await claims.claim({ caller: 'c', key: 'k', claimId: 'one', fingerprint: 'f', claimedAt: 1 })
      expect(await record('one')).to.equal('done')
      await claims.release('one')
      expect(await opened.db.query('idempotency_keys').select('state')).to.deep.equal([
        { state: 'interrupted' },
      ])
    })

    it('stores the answer with the use, in the same transaction', async () => {
      const claims = createIdempotencyStore(opened.db.query)
      await claims.claim({ caller: 'c', key: 'k', claimId: 'one', fingerprint: 'f', claimedAt: 1 })
      await record('one', { recommendation: 'grant' })
      const kept = await opened.db.query('idempotency_keys').select('state', 'kept')
      expect(kept).to.deep.equal([{ state: 'applied', kept: '{"recommendation":"grant"}' }])
    })

    it('writes nothing for a use that another has taken over, and continues with the rest of its group', async () => {
      const outcomes = await Promise.allSettled([record(undefined), record('lost'), record(undefined)])
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      await placeRecords(opened.files.databaseUrl)
      expect(await opened.db.query('audit_records').select('seq').orderBy('seq')).to.deep.equal([
        { seq: 0 },
        { seq: 1 },
      ])
    })
  })
