import { expect } from 'chai'
import { openRequests, type Requests } from './openRequests.ts'

describe('the budget of approved registrations', () => {
  let scene: Requests
  before(async () => {
    scene = await openRequests({ REGISTRATION_RATE_PER_HOUR: '2' })
  })
  after(() => scene?.service.stop())

  it('counts what owners approve, per account and per network, and leaves the others pending', async () => {
    const ada = await scene.developer()
    const [first, second, third] = [await ada.asks(), await ada.asks(), await ada.asks()]
    expect((await ada.approveRequest(first)).status).to.equal(200)
    expect((await ada.approveRequest(second)).status).to.equal(200)
    const refused = await ada.approveRequest(third)
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    expect(refused.headers.get('ratelimit-policy')).to.equal('"registration-network";q=2;w=3600')
    expect((await ada.read(third)).status).to.equal('pending')
    scene.time.now += 3_600_000
    expect((await ada.approveRequest(third)).status).to.equal(200)
  })
})
