import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { POLL } from './openRequests.ts'

describe('the budget of outreach', () => {
  let service: StartedService
  const time = { now: Date.now() }

  before(async () => {
    service = await startService({ settings: { OUTREACH_RATE_PER_HOUR: '5' }, clock: () => time.now })
  })
  after(() => service?.stop())

  it('allows five requests per hour for one client address', async () => {
    const ask = () =>
      api(service.baseUrl, 'POST', POLL, {
        body: { agentName: 'Buyer', ownerEmail: `reader.${randomUUID()}@people.io` },
      })
    for (let left = 4; left >= 0; left -= 1) {
      const { status, headers } = await ask()
      expect([status, headers.get('ratelimit')]).to.deep.equal([
        202,
        `"request-registration";r=${left};t=3600`,
      ])
    }
    const refused = await ask()
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).to.equal('3600')
    time.now += 3_600_000
    expect((await ask()).status).to.equal(202)
  })
})
