import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import type { Recorder, RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const NOW = Date.UTC(2026, 0, 5)
const AGENT = 'SVC-0000000000000000000001'
const KEY = { agentId: AGENT, endpointId: null, counterpartyOwnerId: 'SVCO-1', attemptId: 'an-attempt' }

function plain<Result>(result: Result): RecordIntent<Result> {
  return { counters: null, approval: null, decide: () => commitmentOf([buildRecord()], result) }
}

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: recorders of several processes on PostgreSQL`, () => {
    let temporary: TemporaryDatabase
    let url: string
    let recorders: Recorder[]

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      temporary = await openTemporaryDatabase('postgres', featureSet)
      url = temporary.files.databaseUrl ?? ''
      recorders = [temporary.openRecorder(), temporary.openRecorder()]
    })
    afterEach(async () => {
      await Promise.all(recorders.map((recorder) => recorder.close()))
      await temporary.remove()
    })

    const record = <Result>(intent: RecordIntent<Result>, nth = 0): Promise<Result> => {
      const recorder = recorders[nth % 2]
      if (!recorder) throw new Error('there are two')
      return recorder.record(intent)
    }
    const sequence = async () => {
      await placeRecords(url)
      return (await temporary.db.query('audit_records').select('seq').orderBy('seq')).map(({ seq }) => seq)
    }
    const places = (count: number) => Array.from({ length: count }, (_, n) => n)
    const codeOf = (outcome: Promise<unknown>) => outcome.then(String, ({ code }) => String(code))

    it('delete grants that no window includes any more in several steps, and those of no other scope', async () => {
      const since = NOW - 3_600_000
      const old = places(700).map((n) => ({ scope: AGENT, granted_at: since - 700 + n, ordinal: n + 1 }))
      await temporary.db.query('transaction_grants').insert(old)
      await temporary.db.query('transaction_grants').insert({ scope: 'other', granted_at: 1, ordinal: 64 })
      const grant = (nth: number) =>
        record(
          {
            counters: buildCounterQuery({ agentScope: AGENT, since }),
            approval: null,
            decide: ({ agentGrants }) => ({
              ...commitmentOf([buildRecord()], agentGrants),
              grants: [{ scope: AGENT, grantedAt: NOW, since }],
            }),
          },
          nth,
        )
      const stored = async (scope: string) =>
        (await temporary.db.query('transaction_grants').where({ scope }).select('ordinal')).length
      await Promise.all(places(4).map(grant))
      expect(await stored(AGENT)).to.equal(700 - 512 + 4)
      const counted = await Promise.all(places(64).map(grant))
      expect(counted.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(places(68).slice(4))
      expect(await stored(AGENT)).to.equal(68)
      expect(await stored('other')).to.equal(1)
    })

    it('do not wait for a use case that continues long after its first record', async () => {
      const { append } = createAuditRecordStore(temporary.db.query)
      await temporary.db.transaction(async (trx) => {
        await append(trx, buildRecord())
        expect(await record(plain('not kept waiting'))).to.equal('not kept waiting')
        await append(trx, buildRecord())
      })
      expect(await sequence()).to.deep.equal(places(3))
    })

    it('number their records without gaps, beside use cases that append', async () => {
      const { append } = createAuditRecordStore(temporary.db.query)
      const recorded = Promise.all(
        places(400).map(async (n) => {
          if (n % 5 === 0) await new Promise(setImmediate)
          return record(plain(n), n)
        }),
      )
      const appended = Promise.all(
        places(20).map(() => temporary.db.transaction((trx) => append(trx, buildRecord()))),
      )
      expect(await recorded).to.deep.equal(places(400))
      await appended
      expect(await sequence()).to.deep.equal(places(420))
    })

    it('grant exactly as many as the cap allows, whenever they run', async () => {
      const attempt = (_: unknown, nth: number) =>
        record(
          {
            counters: buildCounterQuery({
              agentId: AGENT,
              endpointId: 'e',
              since: NOW - 3_600_000,
              agentScope: AGENT,
              countEndpointSubAgents: true,
              spend: { endpointId: 'e', agentId: AGENT, period: 'day:0' },
            }),
            approval: null,
            decide: ({ agentGrants, endpointSubAgents, cumulativeSpend }) => {
              const granted = (agentGrants ?? 0) < 100
              expect([endpointSubAgents, cumulativeSpend]).to.deep.equal([agentGrants, String(agentGrants)])
              if (!granted) return commitmentOf([buildRecord()], granted)
              return {
                ...commitmentOf([buildRecord()], granted),
                grants: [{ scope: AGENT, grantedAt: NOW, since: NOW - 3_600_000 }],
                subAgent: {
                  agentId: AGENT,
                  endpointId: 'e',
                  window: null,
                  sessionId: null,
                  grantedAt: NOW,
                  expiresAt: NOW + 1,
                },
                spend: {
                  endpointId: 'e',
                  agentId: AGENT,
                  period: 'day:0',
                  total: String(Number(cumulativeSpend) + 1),
                },
              }
            },
          },
          nth,
        )
      const granted = await Promise.all(Array.from({ length: 1_000 }, attempt))
      expect(granted.filter(Boolean)).to.have.length(100)
    })

    it('delete old grants of an agent without reading those of others', async () => {
      const HOUR_MS = 3_600_000
      // One grant in 64 of an agent deletes its old ones, and the next one of this agent is such a grant.
      await queryPostgres(
        url,
        `INSERT INTO transaction_grants (scope, granted_at, ordinal)
          SELECT 'SVC-' || n % 100, n, n + 60 FROM generate_series(1, 20000) AS n`,
      )
      await queryPostgres(url, 'ANALYZE transaction_grants')
      const scans = async () => {
        const [row] = await queryPostgres<{ tables: number; searches: number }>(
          url,
          `SELECT seq_scan AS tables, idx_scan AS searches FROM pg_stat_user_tables WHERE relname = 'transaction_grants'`,
        )
        return row ?? { tables: 0, searches: 0 }
      }
      const before = await scans()
      await record({
        counters: buildCounterQuery({ agentId: 'SVC-7', agentScope: 'SVC-7', since: NOW - HOUR_MS }),
        approval: null,
        decide: () => ({
          ...commitmentOf([buildRecord()], null),
          grants: [{ scope: 'SVC-7', grantedAt: NOW, since: NOW - HOUR_MS }],
        }),
      })
      // A session reports its scans when it has been idle for a moment.
      const after = await waitUntil(async () => {
        await record(plain(null))
        const now = await scans()
        return now.searches > before.searches ? now : null
      })
      expect(after.tables).to.equal(before.tables)
      const rows = await temporary.db
        .query('transaction_grants')
        .select('granted_at')
        .where({ scope: 'SVC-7' })
      expect(rows).to.deep.equal([{ granted_at: NOW }])
      expect(await temporary.db.query('transaction_grants').where({ scope: 'SVC-8' })).to.have.length(200)
    })

    it('use an approval once', async () => {
      await temporary.db.query('step_up_approvals').insert(approvalRow('approved'))
      const use = (_: unknown, nth: number) =>
        record(
          {
            counters: null,
            approval: KEY,
            decide: (_counters, approval) => {
              const granted = approval?.status === 'approved'
              const consumedApprovalId = granted ? approval.id : null
              return { ...commitmentOf([buildRecord()], granted), consumedApprovalId }
            },
          },
          nth,
        )
      const granted = await Promise.all(Array.from({ length: 100 }, use))
      expect(granted.filter(Boolean)).to.have.length(1)
    })

    it('commit the rest of a group if the database rejects the values of one outcome', async () => {
      const broken = { ...buildRecord(), recordId: null as unknown as string }
      const nul = { ...buildRecord(), sessionId: 'a\u0000b' }
      const outcomes = await Promise.all(
        [buildRecord(), broken, buildRecord(), nul, buildRecord()].map((one) =>
          codeOf(record({ counters: null, approval: null, decide: () => commitmentOf([one], 'stored') })),
        ),
      )
      const refused = 'SERVICE_UNAVAILABLE'
      expect(outcomes).to.deep.equal(['stored', refused, 'stored', refused, 'stored'])
      expect(await sequence()).to.deep.equal([0, 1, 2])
    })

    it('return 503 if the connection is cut, store each acknowledged outcome once, and continue', async () => {
      let answered = 0
      let refused = 0
      const client = async (nth: number) => {
        for (let sent = 0; sent < 40; sent += 1) {
          const code = await codeOf(record(plain('stored'), nth))
          if (code === 'stored') answered += 1
          else {
            expect(code).to.equal('SERVICE_UNAVAILABLE')
            refused += 1
          }
        }
      }
      let running = true
      const cutting = (async () => {
        while (running) {
          await queryPostgres(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-recorder'",
          )
        }
      })()
      await Promise.all(places(8).map(client))
      running = false
      await cutting
      expect(refused).to.be.above(0)
      const stored = await sequence()
      expect(stored).to.deep.equal(places(stored.length))
      expect(stored.length).to.be.within(answered, answered + refused)
      const again = await waitUntil(async () =>
        (await codeOf(record(plain('again')))) === 'again' ? true : null,
      )
      expect(again).to.equal(true)
    })

    it('wait a limited time for another process’s lock', async () => {
      let release: () => void = () => undefined
      const held = new Promise<void>((free) => {
        release = free
      })
      await temporary.db.query('step_up_approvals').insert(approvalRow('approved'))
      const locking = new Promise<void>((locked) => {
        temporary.db
          .transaction(async (trx) => {
            await trx('step_up_approvals').update({ status: 'denied' })
            locked()
            await held
          })
          .catch(() => undefined)
      })
      await locking
      const intent: RecordIntent<string> = {
        counters: null,
        approval: KEY,
        decide: (_counters, approval) => commitmentOf([buildRecord()], approval?.status ?? 'none'),
      }
      expect(await codeOf(record(intent))).to.equal('SERVICE_UNAVAILABLE')
      release()
      expect(
        await waitUntil(async () => ((await codeOf(record(intent))) === 'denied' ? true : null)),
      ).to.equal(true)
    })
  })
}

function approvalRow(status: string) {
  return {
    id: 'approval-1',
    agent_id: KEY.agentId,
    attempt_id: KEY.attemptId,
    counterparty_owner_id: KEY.counterpartyOwnerId,
    owner_id: 'SVCD-1',
    api_key_id: 'key',
    request_hash: 'hash',
    request: '{}',
    dimensions: '[]',
    needs_fresh_assertion: false,
    status,
    created_at: NOW,
    expires_at: NOW + 60_000,
  }
}
