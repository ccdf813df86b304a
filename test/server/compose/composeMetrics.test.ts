import { expect } from 'chai'
import { composeMetrics } from '../../../server/compose/composeMetrics.ts'
import type { RelayerStatus } from '../../../server/services/relayer/createRelayer.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'

describe('composeMetrics', () => {
  let temporary: TemporaryDatabase
  before(async () => {
    temporary = await openTemporaryDatabase()
  })
  after(() => temporary?.remove())

  it('reports, without waiting for the database, that it is lost and that this process is no relayer', async () => {
    let isLost = false
    const fromDatabase = async <Found>(found: Found): Promise<Found> =>
      isLost ? new Promise<never>(() => undefined) : found
    const pass = () => fromDatabase({ status: 'pass' } as const)
    const metrics = composeMetrics({
      db: temporary.db,
      chain: {
        relayerStatus: () =>
          fromDatabase<RelayerStatus>({
            reachable: true,
            backlog: 3,
            lastError: null,
            balance: null,
            balanceLow: false,
            spareGwei: null,
          }),
        wasRelayer: () => !isLost,
      },
      audit: { check: pass, witnesses: { states: () => fromDatabase([]) } },
      health: {
        version: '1',
        database: async () => ({ status: isLost ? 'fail' : 'pass' }),
        chain: pass,
        relayer: pass,
        auditQueue: pass,
        replica: async () => ({ status: 'warn' }),
        witnesses: null,
        isStopping: () => false,
      },
      clock: () => 0,
    })
    const read = async () => {
      const lines = (await metrics.readMetrics()).body.split('\n')
      const figure = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]
      return [
        ...['svc_healthy', 'svc_relayer_active', 'svc_relayer_backlog'],
        ...['database', 'chain', 'replica'].map((check) => `svc_health_status{check="${check}"}`),
      ].map(figure)
    }
    expect(await read()).to.deep.equal(['1', '1', '3', '0', '0', '1'])
    isLost = true
    expect(await read()).to.deep.equal(['0', '0', '3', '2', '1', '1'])
    isLost = false
    expect(await read()).to.deep.equal(['1', '1', '3', '0', '0', '1'])
  })
})
