import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { PROBE, type Recorder, type RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'

const PLAIN: RecordIntent<null> = {
  counters: null,
  approval: null,
  decide: () => commitmentOf([buildRecord()], null),
}
const EMPTY: RecordIntent<null> = { ...PLAIN, decide: () => commitmentOf([], null) }

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: a probe on a database that refuses to write`, () => {
    let temporary: TemporaryDatabase
    let recorder: Recorder
    let url: string

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      temporary = await openTemporaryDatabase('postgres', featureSet)
      url = temporary.files.databaseUrl ?? ''
      recorder = temporary.openRecorder()
    })
    afterEach(async () => {
      await recorder.close()
      await temporary.remove()
    })

    const query = (sql: string) => queryPostgres(url, sql)
    const outcomeOf = (intent: RecordIntent<null>) =>
      recorder.record(intent).then(
        () => 'committed',
        ({ code }) => String(code),
      )

    it('fails while transactions are read-only by default, and passes afterwards', async () => {
      const name = new URL(url).pathname.slice(1)
      const alter = async (change: string) => {
        await queryPostgres(new URL('/postgres', url).href, `ALTER DATABASE ${name} ${change}`)
        await recorder.close()
        recorder = temporary.openRecorder()
      }
      await alter('SET default_transaction_read_only = on')
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['SERVICE_UNAVAILABLE', true])
      await alter('RESET default_transaction_read_only')
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['committed', false])
    })

    const fillDisk = async () => {
      await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
      await query('CREATE TRIGGER full_disk BEFORE INSERT ON pending_records EXECUTE FUNCTION refuse()')
    }

    it('fails within five minutes after there is no room, although nothing was to be decided', async () => {
      await recorder.close()
      let now = 0
      recorder = temporary.openRecorder(() => now)
      expect(await outcomeOf(PROBE)).to.equal('committed')
      await fillDisk()
      now += 299_999
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['committed', false])
      now += 1
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['SERVICE_UNAVAILABLE', true])
      await query('DROP TRIGGER full_disk ON pending_records')
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['committed', false])
      expect(await query('SELECT record_id FROM pending_records')).to.deep.equal([])
    })

    it('fails at the start if there is no room', async () => {
      await fillDisk()
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['SERVICE_UNAVAILABLE', true])
    })

    it('looks for no room among decisions, which show it themselves', async () => {
      await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'too large' USING ERRCODE = 'disk_full'; END $$`)
      await query(`CREATE TRIGGER full_disk BEFORE INSERT ON pending_records FOR EACH ROW
        WHEN (NEW.record_id = 'probe') EXECUTE FUNCTION refuse()`)
      expect(await Promise.all([outcomeOf(PLAIN), outcomeOf(PROBE)])).to.deep.equal([
        'committed',
        'committed',
      ])
    })

    it('fails while there is no room for decisions, although a smaller write would succeed', async () => {
      expect(await outcomeOf(PROBE)).to.equal('committed')
      await fillDisk()
      expect([await outcomeOf(PLAIN), recorder.isFailing()]).to.deep.equal(['SERVICE_UNAVAILABLE', true])
      expect([await outcomeOf(EMPTY), recorder.isFailing()]).to.deep.equal(['committed', true])
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['SERVICE_UNAVAILABLE', true])
      await query('DROP TRIGGER full_disk ON pending_records')
      expect([await outcomeOf(PROBE), recorder.isFailing()]).to.deep.equal(['committed', false])
      expect(await outcomeOf(PLAIN)).to.equal('committed')
      expect(await query('SELECT record_id FROM pending_records')).to.have.length(1)
    })
  })
}
