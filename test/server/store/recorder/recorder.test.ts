import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import type { Recorder, RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'

const NOW = Date.UTC(2026, 0, 5)
const AGENT = 'SVC-0000000000000000000001'
const ENDPOINT = '00000000-0000-7000-8000-000000000001'

const query = buildCounterQuery({ agentId: AGENT, endpointId: ENDPOINT, since: NOW - 3_600_000 })

function plain<Result>(result: Result): RecordIntent<Result> {
  return { counters: null, approval: null, decide: () => commitmentOf([buildRecord()], result) }
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`the recorder on ${kind}`, () => {
    before(function () {
      if (kind === 'postgres' && !testsPostgres) this.skip()
    })

    let temporary: TemporaryDatabase
    let recorder: Recorder

    beforeEach(async () => {
      temporary = await openTemporaryDatabase(kind)
      recorder = temporary.openRecorder()
    })
    afterEach(async () => {
      await recorder.close()
      await temporary.remove()
    })

    const sequence = async () => {
      await placeRecords(temporary.files.databaseUrl)
      return (await temporary.db.query('audit_records').select('seq').orderBy('seq')).map(({ seq }) =>
        Number(seq),
      )
    }

    describe('record', () => {
      it('numbers concurrent outcomes without gaps and returns each its own result', async () => {
        const answers = await Promise.all(Array.from({ length: 600 }, (_, n) => recorder.record(plain(n))))
        expect(answers).to.deep.equal(Array.from({ length: 600 }, (_, n) => n))
        expect(await sequence()).to.deep.equal(Array.from({ length: 600 }, (_, n) => n))
      })

      it('gives the records of each outcome their places in order, and each sub-agent a row of its own', async () => {
        const withSubAgent = (nth: number): RecordIntent<void> => ({
          counters: null,
          approval: null,
          decide: () => ({
            ...commitmentOf([buildRecord({ subject: { nth: `${nth}` } }), buildRecord()], undefined),
            subAgent: {
              ...{ agentId: `SVC-${nth}`, endpointId: ENDPOINT, window: null, sessionId: null },
              ...{ grantedAt: NOW, expiresAt: NOW + 1 },
            },
          }),
        })
        await recorder.record(plain(null))
        await Promise.all([
          recorder.record(plain(null)),
          ...[1, 2, 3].map((nth) => recorder.record(withSubAgent(nth))),
        ])
        expect(await sequence()).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
        const rows = await temporary.db.query('audit_records').select('entry').orderBy('seq')
        const entries = rows.map(({ entry }) => JSON.parse(entry))
        expect(rows.map(({ entry }) => parseAuditEntry(entry).ok)).to.not.include(false)
        // Each of the three outcomes has a second record right after its first.
        const first = entries.flatMap(({ subject }, at) => (subject ? [at] : []))
        expect(first).to.have.length(3)
        expect(first.flatMap((at) => (entries[at + 1].subject ? [at] : []))).to.deep.equal([])
        const subAgents = await temporary.db.query('sub_agent_grants').select('agent_id').orderBy('agent_id')
        expect(subAgents).to.deep.equal([1, 2, 3].map((nth) => ({ agent_id: `SVC-${nth}` })))
      })

      it('continues the stored log when reopened', async () => {
        await recorder.record(plain(null))
        await recorder.close()
        recorder = temporary.openRecorder()
        await recorder.record(plain(null))
        expect(await sequence()).to.deep.equal([0, 1])
      })

      it('grants exactly as many of 64 concurrent requests as the cap allows', async () => {
        const attempt = () =>
          recorder.record({
            counters: { ...query, agentScope: AGENT },
            approval: null,
            decide: ({ agentGrants }) => {
              const granted = (agentGrants ?? 0) < 10
              const grant = { scope: AGENT, grantedAt: NOW, since: query.since }
              return { ...commitmentOf([buildRecord()], granted), grants: granted ? [grant] : [] }
            },
          })
        const granted = await Promise.all(Array.from({ length: 64 }, attempt))
        expect(granted.filter(Boolean)).to.have.length(10)
      })

      it('counts under an own cap and under that of a family exactly, however concurrently siblings ask', async () => {
        const ask = (child: string) =>
          recorder.record({
            counters: { ...query, agentScope: child, ancestorScopes: ['parent', 'root'] },
            approval: null,
            decide: ({ agentGrants, ancestorGrants }) => {
              const [parent = 0, root = 0] = ancestorGrants ?? []
              const granted = (agentGrants ?? 0) < 10 && parent < 25 && root < 100
              const scopes = granted ? [child, 'parent', 'root'] : []
              const grants = scopes.map((scope) => ({ scope, grantedAt: NOW, since: query.since }))
              return { ...commitmentOf([buildRecord()], granted ? child : null), grants }
            },
          })
        const grantsOf = async (children: string[]) =>
          (await Promise.all(children.map(ask))).filter((child) => child !== null)
        const times = (length: number, ...names: string[]) =>
          Array.from({ length }, (_, nth) => names[nth % names.length] ?? '')
        expect(await grantsOf(times(32, 'ada'))).to.have.length(10)
        const others = await grantsOf(times(64, 'bea', 'cid'))
        expect(others).to.have.length(15)
        expect(others.filter((child) => child === 'bea').length).to.be.within(5, 10)
      })

      it('counts only the grants of the last hour, in any order of the clock', async () => {
        const HOUR_MS = 3_600_000
        const counted: (number | null)[] = []
        const grantAt = (now: number) =>
          recorder.record({
            counters: { ...query, agentScope: AGENT, since: now - HOUR_MS },
            approval: null,
            decide: ({ agentGrants }) => {
              counted.push(agentGrants)
              const grants = [{ scope: AGENT, grantedAt: now, since: now - HOUR_MS }]
              return { ...commitmentOf([buildRecord()], null), grants }
            },
          })
        for (const minute of [0, 10, 20, 15, 60, 71, 140]) await grantAt(NOW + minute * 60_000)
        expect(counted).to.deep.equal([0, 1, 2, 3, 3, 3, 0])
      })

      it('adds concurrent spend exactly', async () => {
        const spend = () =>
          recorder.record({
            counters: { ...query, spend: { endpointId: ENDPOINT, agentId: AGENT, period: 'day:0' } },
            approval: null,
            decide: ({ cumulativeSpend }) => ({
              ...commitmentOf([buildRecord()], null),
              spend: {
                endpointId: ENDPOINT,
                agentId: AGENT,
                period: 'day:0',
                total: String(Number(cumulativeSpend) + 1),
              },
            }),
          })
        await Promise.all(Array.from({ length: 50 }, spend))
        const row = await temporary.db.query('cumulative_spend').select('total').first()
        expect(row?.total).to.equal('50')
      })

      it('rejects only the outcome whose decision throws', async () => {
        const bad = recorder.record({
          counters: null,
          approval: null,
          decide: () => {
            throw new Error('a defect')
          },
        })
        const good = recorder.record(plain('kept'))
        expect(await bad.catch((error: Error) => error.message)).to.equal('a defect')
        expect(await good).to.equal('kept')
        expect(await sequence()).to.deep.equal([0])
      })

      it('refuses outcomes after it is closed', async () => {
        await recorder.close()
        const refused = await recorder.record(plain(null)).catch((error: Error) => error.message)
        expect(refused).to.contain('decisions cannot be recorded')
      })
    })
  })
