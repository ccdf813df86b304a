import { expect } from 'chai'
import { checkHealth } from '../../../../server/services/health/checkHealth.ts'

describe('checkHealth', () => {
  const pass = async () => ({ status: 'pass' }) as const
  const parts = {
    version: '1',
    database: pass,
    chain: pass,
    relayer: pass,
    auditQueue: pass,
    replica: null,
    witnesses: null,
    isStopping: () => false,
  }

  it('does not wait for a check that hangs, and warns of it', async () => {
    const chain = () => new Promise<never>(() => undefined)
    const { status, checks } = await checkHealth({ ...parts, chain }, { now: 0 })
    expect([status, checks.chain.status, checks.relayer.status]).to.deep.equal(['warn', 'warn', 'pass'])
  })

  it('fails if the database cannot be checked, and only warns of the other parts', async () => {
    const broken = () => Promise.reject(new Error('broken'))
    for (const [part, expected] of [
      ['database', 'fail'],
      ['chain', 'warn'],
      ['relayer', 'warn'],
      ['auditQueue', 'warn'],
    ] as const) {
      const { status, checks } = await checkHealth({ ...parts, [part]: broken }, { now: 0 })
      expect([status, checks[part].status], part).to.deep.equal([expected, expected])
    }
  })
  it('fails with the reason while the process is stopping, and does not name the process otherwise', async () => {
    const stopping = await checkHealth({ ...parts, isStopping: () => true }, { now: 0 })
    expect(stopping.status).to.equal('fail')
    expect(stopping.checks.process).to.deep.equal({ status: 'fail', detail: 'the process is stopping' })
    const serving = await checkHealth(parts, { now: 0 })
    expect(serving.status).to.equal('pass')
    expect(serving.checks).not.to.have.property('process')
  })
})
