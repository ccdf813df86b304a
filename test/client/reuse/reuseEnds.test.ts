import { expect } from 'chai'
import { openReuse, type ReuseScene } from './openReuse.ts'

describe('the end of a grant at hand', () => {
  let scene: ReuseScene

  before(async () => {
    scene = await openReuse()
  })
  after(() => scene?.service.stop())

  it('is good for the configured time, and not longer than its receipt', async () => {
    const short = scene.open({ seconds: 10 })
    await short.granted()
    scene.time.now += 9_999
    expect(await short.reuses()).to.equal(true)
    scene.time.now += 1
    expect(await short.reuses()).to.equal(false)
    const long = scene.open({ seconds: 3_600 })
    const sent = { fields: { sessionDuration: 20 } }
    await long.granted(sent)
    scene.time.now = Math.floor(scene.time.now / 1000) * 1000 + 19_999
    expect(await long.reuses(sent)).to.equal(true)
    scene.time.now += 1
    expect(await long.reuses(sent)).to.equal(false)
  })

  it('answers nothing once it is withdrawn and the status list has been refreshed', async () => {
    const gateway = scene.open()
    const { sessionId } = await gateway.granted()
    expect(await gateway.reuses()).to.equal(true)
    await scene.call('POST', `/api/agents/verify-access/${sessionId}/end`, {
      ...{ bearer: scene.shop.apiKey, body: {} },
    })
    scene.time.now += 61_000
    expect(await gateway.reuses()).to.equal(false)
    expect(gateway.asked()).to.have.length(2)
  })

  it('answers nothing for a key that is revoked, within a minute of the revocation', async () => {
    const gateway = scene.open()
    const signer = await scene.addedKey(scene.agentId)
    await gateway.granted({ signer })
    await scene.revoke(scene.agentOwner, scene.agentId, signer.keyid)
    scene.time.now += 61_000
    const { answer, isReused } = await gateway.ask(await scene.send({ signer }))
    expect([isReused, answer.recommendation]).to.deep.equal([false, 'deny'])
  })

  it('answers nothing for an agent that is suspended, within a minute of it', async () => {
    const gateway = scene.open()
    const agentId = await scene.agentOwner.agent({ pdlss: {} })
    const sent = { agentId, signer: await scene.addedKey(agentId) }
    await gateway.granted(sent)
    await scene.agentOwner.call('POST', `/api/agents/${agentId}/suspend`)
    scene.time.now += 61_000
    const { answer, isReused } = await gateway.ask(await scene.send(sent))
    expect([isReused, answer.recommendation]).to.deep.equal([false, 'deny'])
  })

  it('answers nothing while the status list cannot be had for a minute', async () => {
    const gateway = scene.open()
    await gateway.granted()
    gateway.network.isDown = (path) => path.startsWith('/.well-known/')
    scene.time.now += 40_000
    expect(await gateway.reuses()).to.equal(true)
    scene.time.now += 31_000
    expect(await gateway.reuses()).to.equal(false)
  })

  it('answers nothing while its uses cannot be reported for half a minute, until they are', async () => {
    const gateway = scene.open()
    await gateway.granted()
    gateway.network.isDown = (path) => path.endsWith('/uses')
    expect(await gateway.reuses()).to.equal(true)
    scene.time.now += 29_999
    expect(await gateway.reuses()).to.equal(true)
    scene.time.now += 1
    expect(await gateway.reuses()).to.equal(false)
    gateway.network.isDown = () => false
    await gateway.reuse.settle()
    expect(await gateway.reuses()).to.equal(true)
  })

  it('answers on while the service is unreachable, until its uses would be unreported for half a minute', async () => {
    const gateway = scene.open()
    await gateway.granted()
    gateway.network.isDown = () => true
    expect(await gateway.reuses()).to.equal(true)
    scene.time.now += 30_000
    const refused = await gateway.ask(await scene.send()).catch(({ code }) => code)
    expect(refused).to.equal('NETWORK_ERROR')
  })

  it('counts each use once, however often the report of it has to be repeated', async () => {
    const gateway = scene.open()
    const { auditRecordId } = await gateway.granted({ fields: { transactionValue: 20 }, useValue: 5 })
    gateway.network.loses = (path) => path.endsWith('/uses')
    const sent = { fields: { transactionValue: 20 }, useValue: 6 }
    for (let i = 0; i < 2; i += 1) expect(await gateway.reuses(sent)).to.equal(true)
    for (let i = 0; i < 3; i += 1) {
      expect(await gateway.reuse.settle().catch(({ code }) => code)).to.equal('NETWORK_ERROR')
    }
    gateway.network.loses = () => false
    await gateway.reuse.settle()
    expect(gateway.reported()).to.have.length(8)
    expect(gateway.warnings).to.deep.equal([])
    expect(await scene.listUses(auditRecordId)).to.have.length(2)
  })

  it('does not hide a replay from the service while uses cannot be reported', async () => {
    const gateway = scene.open()
    await gateway.granted()
    const facts = await scene.send()
    gateway.network.isDown = (path) => path.endsWith('/uses')
    expect((await gateway.ask(facts)).isReused).to.equal(true)
    const replayed = await gateway.ask(facts).catch((error: { code: string }) => error.code)
    expect(replayed).to.equal('NETWORK_ERROR')
    expect(gateway.asked()).to.have.length(1)
  })

  it('is dropped, with a warning, if the service finds that a use contradicts it', async () => {
    const [one, other] = [scene.open(), scene.open()]
    await one.granted()
    await other.granted()
    const facts = await scene.send()
    expect((await one.ask(facts)).isReused).to.equal(true)
    await one.reuse.settle()
    // Replayed at another process of the counterparty, which has a memory of its own.
    expect((await other.ask(facts)).isReused).to.equal(true)
    await other.reuse.settle()
    expect(other.warnings.join()).to.contain('contradicts it: replayed')
    expect(await other.reuses()).to.equal(false)
    expect(await one.reuses()).to.equal(true)
  })

  it('is none if its receipt is not valid, or the key cannot be had', async () => {
    for (const [down, warning] of [
      ['/.well-known/jwks.json', 'keys_unavailable'],
      ['/.well-known/status/0', 'status_unavailable'],
      [`/.well-known/agents/${scene.agentId}/jwks.json`, 'could not be reached'],
    ] as const) {
      const gateway = scene.open()
      gateway.network.isDown = (path) => path === down
      await gateway.granted()
      expect(gateway.warnings.join(), down).to.contain(warning)
      expect(await gateway.reuses()).to.equal(false)
    }
  })

  it('is none with another issuer, and the warning says what that has to be', async () => {
    const issuer = `${scene.issuer}/`
    const gateway = scene.open({ issuer })
    await gateway.granted()
    expect(gateway.warnings.join()).to.contain(`other_issuer; is ${issuer} the PUBLIC_URL of the service?`)
    expect(await gateway.reuses()).to.equal(false)
  })
})
