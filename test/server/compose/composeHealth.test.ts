import type { HealthCheck } from '@svc/core/contract/service.ts'
import { expect } from 'chai'
import { composeHealth } from '../../../server/compose/composeHealth.ts'
import { type CheckHealthDeps, checkHealth } from '../../../server/services/health/checkHealth.ts'
import type { CounterValues } from '../../../server/store/recorder/recorder.ts'

type Parts = {
  logged?: object[]
  check?: () => Promise<HealthCheck>
  probe?: () => Promise<string | null>
  onRelayerStatus?: () => void
  clock?: () => number
}

/** Composes the health of a service in which everything not given works. */
function compose({
  logged = [],
  check = async () => ({ status: 'pass' }),
  probe = async () => null,
  onRelayerStatus = () => undefined,
  clock = () => 0,
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
      async relayerStatus() {
        onRelayerStatus()
        return {
          reachable: true,
          backlog: 0,
          lastError: null,
          balanceLow: false,
          balance: null,
          spareGwei: null,
        }
      },
    },
    audit: { check, witnesses: { check: null } },
    version: '1.0.0',
    log: { error: (fields: object) => void logged.push(fields) },
    isStopping: () => false,
    clock,
  })
}

describe('composeHealth', () => {
  it('logs why a check itself failed, once until it passes again', async () => {
    const logged: object[] = []
    let isBroken = false
    let now = 0
    const broken = new Error('no such table: batches')
    const look = compose({
      logged,
      async check() {
        if (isBroken) throw broken
        return { status: 'pass' }
      },
      clock: () => now,
    })
    const auditQueue = async () => {
      now += 500
      return (await checkHealth(look, { now: 0 })).checks.auditQueue
    }
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

  it('reads the relayer and the queue once in half a second, however often and by however many it is asked', async () => {
    let now = 0
    const reads = { relayer: 0, queue: 0 }
    const look = compose({
      clock: () => now,
      onRelayerStatus: () => {
        reads.relayer += 1
      },
      async check() {
        reads.queue += 1
        return { status: 'pass' }
      },
    })
    const ask = () => Promise.all(Array.from({ length: 20 }, () => checkHealth(look, { now })))
    for (const at of [0, 499]) {
      now = at
      for (const { status } of await ask()) expect(status).to.equal('pass')
      expect(reads).to.deep.equal({ relayer: 1, queue: 1 })
    }
    now = 500
    await ask()
    expect(reads).to.deep.equal({ relayer: 2, queue: 2 })
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
