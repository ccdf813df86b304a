import { expect } from 'chai'
import { FEATURE_SETS, type FeatureSet } from '../../../../server/config/featureSets.ts'
import { createCommitCheck } from '../../../../server/services/health/createCommitCheck.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { openPostgresDatabase } from '../../../../server/store/database/database.postgres.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import { createPostgresRecorder } from '../../../../server/store/recorder/recorder.postgres.ts'
import { PROBE, type Recorder, type RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  testsPostgres,
} from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const AGENT = 'SVC-0000000000000000000001'

describe('recorders on PostgreSQL while no commit becomes durable', () => {
  let server: PostgresServer
  let url: string
  let recorders: Recorder[]

  before(async function () {
    if (!testsPostgres) this.skip()
    server = await startPostgres()
  })
  after(() => server?.stop())
  afterEach(async () => {
    await awaitStandby('')
    await Promise.all(recorders.map((recorder) => recorder.close()))
  })

  async function openRecorders(featureSet: FeatureSet): Promise<void> {
    url = (await createPostgresDatabase(server.url)).url
    const features = chooseFeatures(featureSet)
    await (await openPostgresDatabase(url, { features })).close()
    recorders = [createPostgresRecorder(url, { features }), createPostgresRecorder(url, { features })]
  }

  /** Durable commits wait for a standby of this name; there is none. */
  async function awaitStandby(name: string): Promise<void> {
    await queryPostgres(server.url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
    await queryPostgres(server.url, 'SELECT pg_reload_conf()')
    await waitUntil(async () => {
      const [row] = await queryPostgres<{ names: string }>(
        url,
        `SELECT current_setting('synchronous_standby_names') AS names`,
      )
      return row?.names === name ? true : null
    })
  }
  const record = <Result>(nth: number, intent: RecordIntent<Result>): Promise<Result> => {
    const recorder = recorders[nth]
    if (!recorder) throw new Error('there are two')
    return recorder.record(intent)
  }
  /** Counts the recorders that wait for a standby to have their commit, or for a lock of another recorder. */
  const countWaiting = async (event: 'SyncRep' | 'Lock'): Promise<number> => {
    const [row] = await queryPostgres<{ count: number }>(
      url,
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE application_name = 'svc-recorder' AND datname = current_database() AND ? IN (wait_event, wait_event_type)`,
      [event],
    )
    return row?.count ?? 0
  }
  const waitFor = (count: number) =>
    waitUntil(async () => ((await countWaiting('SyncRep')) === count ? true : null))

  for (const [featureSet, seenMeanwhile] of [
    ['full', [2, 3]],
    ['portable', [2]],
  ] as const) {
    const what = featureSet === 'full' ? 'see each other’s counts at once' : 'count one after the other'
    it(`${what} with ${featureSet} features, and answer nothing`, async () => {
      await openRecorders(featureSet)
      await Promise.all([0, 1].map((nth) => record(nth, grant(ignore))))
      await awaitStandby('absent')
      const seen: (number | null)[] = []
      let answered = 0
      const granted = [0, 1].map(async (nth) => {
        // One after the other, so that their order is known.
        if (nth === 1) await waitFor(1)
        await record(
          nth,
          grant((count) => seen.push(count)),
        )
        answered += 1
      })
      await waitFor(seenMeanwhile.length)
      if (featureSet === 'portable')
        await waitUntil(async () => ((await countWaiting('Lock')) === 1 ? true : null))
      expect(seen).to.deep.equal(seenMeanwhile)
      expect(answered).to.equal(0)
      await awaitStandby('')
      await Promise.all(granted)
      expect(seen).to.deep.equal([2, 3])
      expect(answered).to.equal(2)
    })
  }

  for (const featureSet of FEATURE_SETS) {
    it(`do not report with ${featureSet} features that commits reach the disk`, async () => {
      await openRecorders(featureSet)
      await record(0, PROBE)
      await awaitStandby('absent')
      let answered = 0
      const probed = record(0, PROBE).then(() => {
        answered += 1
      })
      await waitFor(1)
      expect(answered).to.equal(0)
      await awaitStandby('')
      await probed
    })
  }

  it('fail the health once a commit has waited for longer than 900 ms, long before they give it up', async () => {
    await openRecorders('full')
    let now = 0
    const check = createCommitCheck({
      commit: () => record(0, PROBE),
      read: async () => undefined,
      isFailing: () => recorders[0]?.isFailing() ?? true,
      report: () => undefined,
      clock: () => now,
    })
    expect((await check()).status).to.equal('pass')
    await awaitStandby('absent')
    now += 500
    expect((await check()).status).to.equal('warn')
    now += 901
    expect(await check()).to.deep.equal({ status: 'fail', detail: 'a commit does not finish' })
    await awaitStandby('')
    await waitUntil(async () => ((await check()).status === 'pass' ? true : null))
  })

  it('send a second group while the first one waits, and answer neither', async () => {
    await openRecorders('full')
    await record(0, plain)
    await awaitStandby('absent')
    let answered = 0
    const send = () =>
      record(0, plain).then(() => {
        answered += 1
      })
    const first = send()
    await waitFor(1)
    const second = send()
    await waitFor(2)
    expect(answered).to.equal(0)
    await awaitStandby('')
    await Promise.all([first, second])
  })
})

const ignore = (): void => undefined

const plain: RecordIntent<null> = {
  counters: null,
  approval: null,
  decide: () => commitmentOf([buildRecord()], null),
}

function grant(see: (count: number | null) => void): RecordIntent<null> {
  return {
    counters: buildCounterQuery({ agentId: AGENT, agentScope: AGENT }),
    approval: null,
    decide: ({ agentGrants }) => {
      see(agentGrants)
      return { ...commitmentOf([buildRecord()], null), grants: [{ scope: AGENT, grantedAt: 1, since: 0 }] }
    },
  }
}
