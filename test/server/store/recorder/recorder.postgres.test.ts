import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import type { RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { AGENT, NOW, openRecorders, places, plain, type Recorders } from './openRecorders.ts'

const KEY = { agentId: AGENT, endpointId: null, counterpartyOwnerId: 'SVCO-1', attemptId: 'an-attempt' }

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: recorders of several processes on PostgreSQL`, () => {
    let recorders: Recorders

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      recorders = await openRecorders(featureSet)
    })
    afterEach(() => recorders.close())

    const sequence = async () => {
      await placeRecords(recorders.url)
      return (await recorders.db.query('audit_records').select('seq').orderBy('seq')).map(({ seq }) => seq)
    }
    const codeOf = (outcome: Promise<unknown>) => outcome.then(String, ({ code }) => String(code))

    it('do not wait for a use case that continues long after its first record', async () => {
      const { append } = createAuditRecordStore(recorders.db.query)
      await recorders.db.transaction(async (trx) => {
        await append(trx, buildRecord())
        expect(await recorders.record(plain('not kept waiting'))).to.equal('not kept waiting')
        await append(trx, buildRecord())
      })
      expect(await sequence()).to.deep.equal(places(3))
    })

    it('number their records without gaps, beside use cases that append', async () => {
      const { append } = createAuditRecordStore(recorders.db.query)
      const recorded = Promise.all(
        places(400).map(async (n) => {
          if (n % 5 === 0) await new Promise(setImmediate)
          return recorders.record(plain(n), n)
        }),
      )
      const appended = Promise.all(
        places(20).map(() => recorders.db.transaction((trx) => append(trx, buildRecord()))),
      )
      expect(await recorded).to.deep.equal(places(400))
      await appended
      expect(await sequence()).to.deep.equal(places(420))
    })

    it('grant exactly as many as the cap allows, whenever they run', async () => {
      const attempt = (_: unknown, nth: number) =>
        recorders.record(
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

    it('use an approval once', async () => {
      await recorders.db.query('step_up_approvals').insert(approvalRow('approved'))
      const use = (_: unknown, nth: number) =>
        recorders.record(
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
          codeOf(
            recorders.record({ counters: null, approval: null, decide: () => commitmentOf([one], 'stored') }),
          ),
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
          const code = await codeOf(recorders.record(plain('stored'), nth))
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
            recorders.url,
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
        (await codeOf(recorders.record(plain('again')))) === 'again' ? true : null,
      )
      expect(again).to.equal(true)
    })

    it('wait a limited time for another process’s lock', async () => {
      let release: () => void = () => undefined
      const held = new Promise<void>((free) => {
        release = free
      })
      await recorders.db.query('step_up_approvals').insert(approvalRow('approved'))
      const locking = new Promise<void>((locked) => {
        recorders.db
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
      expect(await codeOf(recorders.record(intent))).to.equal('SERVICE_UNAVAILABLE')
      release()
      expect(
        await waitUntil(async () => ((await codeOf(recorders.record(intent))) === 'denied' ? true : null)),
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
