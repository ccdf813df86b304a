import { expect } from 'chai'
import { PDLSS } from '../approvals/openOwnerScene.ts'
import { agentsOf, type Developer, openRequests, REQUESTS, type Requests, seen } from './openRequests.ts'

describe('the approval of an agent registered by API key', () => {
  let scene: Requests
  let ada: Developer

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer()
  })
  after(() => scene?.service.stop())

  it('registers it with exactly the requested fields', async () => {
    const asked = {
      name: 'Buyer',
      description: 'Buys',
      agentType: 'autonomous',
      model: { modelName: 'large-1', modelType: 'llm' },
      protocols: ['x402'],
      pdlss: PDLSS,
    }
    const requestId = await ada.asks(asked)
    const shown = await ada.read(requestId)
    expect(shown.registration).to.deep.include(asked)
    expect(shown).to.include({ kind: 'api_key', status: 'pending', ownerId: ada.developerId })
    const approved = await ada.approveRequest(requestId)
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
    const polled = await scene.poll(requestId)
    expect(polled).to.include({ status: 'approved', agentId: approved.body.request.agentId })
    const { agent } = (await ada.call('GET', `/api/agents/${polled.agentId}`)).body
    expect(agent).to.deep.include({ ...asked, svcId: polled.svcId, agentStatus: 'active' })
    const verified = await scene.verify({ ...scene.asking(polled.svcId), transactionValue: 1 })
    expect(verified.body.recommendation).to.equal('grant')
    const { body } = await scene.call('GET', `/registration-files/${polled.svcId}.json`)
    expect(body.svcId).to.equal(polled.svcId)
    const [intent] = await scene.service.rows<{ payload: string }>(
      'SELECT payload FROM relayer_intents WHERE idempotency_key LIKE ?',
      `%${polled.svcId}%`,
    )
    expect(JSON.parse(intent?.payload ?? '{}')).to.include({ owner: null, svcId: polled.svcId })
  })

  it('cannot set other fields than its key asked for', async () => {
    const requestId = await ada.asks()
    const { response } = await ada.signed(requestId)
    const added = { pdlss: {}, description: 'Other' }
    for (const [action, body] of [
      ['options', added],
      ['approve', { response, ...added }],
    ] as const) {
      const refused = await ada.call('POST', `${REQUESTS}/${requestId}/${action}`, { body })
      const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect([refused.status, pointers], action).to.deep.equal([400, ['/description', '/pdlss']])
    }
  })

  it('has one outcome when it races with others and with denials', async () => {
    for (let round = 0; round < 8; round += 1) {
      const requestId = await ada.asks({ name: `Raced ${round}` })
      const signed = await ada.signed(requestId)
      const again = await ada.signed(requestId)
      const approve = (body: object) => () => ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body })
      const deny = () => ada.denyRequest(requestId)
      const racers = [approve(signed), deny, approve(again), deny]
      if (round % 2 === 1) racers.reverse()
      const answers = await Promise.all(racers.map((race) => race()))
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
      expect(answers.every(({ status }) => [200, 403, 409].includes(status))).to.equal(true)
      const { status, svcId } = await scene.poll(requestId)
      const named = (await agentsOf(ada)).filter(({ name }) => name === `Raced ${round}`)
      expect(named.map((one) => one.svcId)).to.deep.equal(status === 'approved' ? [svcId] : [])
    }
  })

  it('is not valid for another request', async () => {
    const [one, other] = [await ada.asks(), await ada.asks()]
    const body = await ada.signed(one)
    const answer = await ada.call('POST', `${REQUESTS}/${other}/approve`, { body })
    expect(seen(answer)).to.deep.equal([403, 'PASSKEY_REJECTED'])
    expect((await scene.poll(other)).status).to.equal('pending')
  })

  it('is not valid for content that changed after it was read', async () => {
    const requestId = await ada.asks({ name: 'Small' })
    const body = await ada.signed(requestId)
    await scene.store(
      `UPDATE registration_requests SET registration = REPLACE(registration, 'Small', 'Large') WHERE id = ?`,
      requestId,
    )
    const answer = await ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body })
    expect(seen(answer)).to.deep.equal([403, 'PASSKEY_REJECTED'])
  })

  it('is not valid by an assertion of another person, nor one for signing in', async () => {
    const eve = await scene.developer()
    const requestId = await ada.asks()
    const { assertionOptions } = await ada.read(requestId)
    const foreign = { response: eve.authenticator.assert(assertionOptions) }
    const path = `${REQUESTS}/${requestId}/approve`
    expect(seen(await ada.call('POST', path, { body: foreign }))).to.deep.equal([403, 'PASSKEY_REJECTED'])
    const own = { response: eve.authenticator.assert(assertionOptions) }
    expect(seen(await eve.call('POST', path, { body: own }))).to.deep.equal([404, 'NOT_FOUND'])
    const { options } = (await ada.call('POST', '/api/auth/passkeys/authentication/options', { body: {} }))
      .body
    const signIn = { response: ada.authenticator.assert(options) }
    expect(seen(await ada.call('POST', path, { body: signIn }))).to.deep.equal([403, 'PASSKEY_REJECTED'])
  })
})
