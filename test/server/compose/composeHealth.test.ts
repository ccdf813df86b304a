import type { HealthCheck } from '@svc/core/contract/service.ts'
import { expect } from 'chai'
import { composeHealth } from '../../../server/compose/composeHealth.ts'
import { type CheckHealthDeps, checkHealth } from '../../../server/services/health/checkHealth.ts'
import type { CounterValues } from '../../../server/store/recorder/recorder.ts'

type Parts = { logged?: object[]; check?: () => Promise<HealthCheck>; probe?: () => Promise<string | null> }

/** Composes the health of a service in which everything not given works. */
function compose({
  logged = [],
  check = async () => ({ status: 'pass' }),
  probe = async () => null,
}: Parts): CheckHealthDeps {
  return composeHealth({
    probe,
    lookAtReplica: null,
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
    audit: { check, witnesses: { check: null } },
    version: '1.0.0',
    log: { error: (fields: object) => void logged.push(fields) },
  })
}

describe('composeHealth', () => {
  it('logs why a check itself failed, once until it passes again', async () => {
    const logged: object[] = []
    let isBroken = false
    const broken = new Error('no such table: batches')
    const look = compose({
      logged,
      async check() {
        if (isBroken) throw broken
        return { status: 'pass' }
      },
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

  it('warns with the reason while a recorded decision could be lost although commits work', async () => {
    const { database } = compose({ probe: async () => 'no standby is synchronous' })
    expect(await database()).to.deep.equal({ status: 'warn', detail: 'no standby is synchronous' })
  })

  it('fails if readers cannot read', async () => {
    const { database } = compose({ probe: () => Promise.reject(new Error('no connection')) })
    expect((await database()).status).to.equal('fail')
  })
})
