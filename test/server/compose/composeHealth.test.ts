import { expect } from 'chai'
import { composeHealth } from '../../../server/compose/composeHealth.ts'
import { checkHealth } from '../../../server/services/health/checkHealth.ts'
import type { CounterValues } from '../../../server/store/recorder/recorder.ts'
import { type AuditDatabase, openAuditDatabase } from '../../harness/database/openAuditDatabase.ts'

describe('composeHealth', () => {
  let database: AuditDatabase

  beforeEach(async () => {
    database = await openAuditDatabase()
  })
  afterEach(() => database.close())

  it('logs why a check itself failed, once until it passes again', async () => {
    const logged: object[] = []
    let isBroken = false
    const broken = new Error('no such table: batches')
    const look = composeHealth({
      db: database.db,
      recorder: {
        record: async ({ decide }) => decide({} as CounterValues, null, new Map()).result,
        failure: () => null,
        isFailing: () => false,
      },
      chain: {
        relayerStatus: async () => ({
          reachable: true,
          backlog: 0,
          lastError: null,
          balanceLow: false,
          balance: null,
          spareGwei: null,
          isRelayer: true,
        }),
      },
      audit: {
        async check() {
          if (isBroken) throw broken
          return { status: 'pass' }
        },
        witnesses: { check: null },
      },
      version: '1.0.0',
      log: { error: (fields: object) => void logged.push(fields) },
    })
    const auditQueue = async () => (await checkHealth(look, { now: 0 })).checks.auditQueue
    expect((await auditQueue()).status).to.equal('pass')
    for (const times of [1, 2]) {
      isBroken = true
      for (let nth = 0; nth < 3; nth += 1) {
        const { status, detail } = await auditQueue()
        expect(status).to.equal('warn')
        expect(detail).to.equal('the check itself failed; the log has the cause')
      }
      expect(logged).to.deep.equal(Array(times).fill({ err: broken, part: 'auditQueue' }))
      isBroken = false
      expect((await auditQueue()).status).to.equal('pass')
    }
  })
})
