import { generateAgentKey } from '@svc/client'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import { verificationFieldsOf } from '@svc/client/gateway/verificationFieldsOf.ts'
import { computeContentDigest } from '@svc/client/http/sha256.ts'
import { expect } from 'chai'
import { openReuse, type ReuseScene } from './openReuse.ts'

/** The owner is asked from a value of 40 on. */
const LIMITS = { autonomousThreshold: 40, stepUpThreshold: 100, currency: 'USD' }

describe('a grant at hand', () => {
  let scene: ReuseScene

  before(async () => {
    scene = await openReuse()
  })
  after(() => scene?.service.stop())

  it('answers further requests of the same agent, purpose and route, each signed, and reports them', async () => {
    const gateway = scene.open()
    const first = await gateway.granted()
    const facts = [await scene.send({ path: '/orders/1?page=2' }), await scene.send()]
    for (const one of facts) {
      const { answer, isReused } = await gateway.ask(one)
      expect(isReused).to.equal(true)
      expect(answer).to.deep.equal(first)
    }
    expect(gateway.asked()).to.have.length(1)
    await gateway.reuse.settle()
    expect(gateway.reported()).to.have.length(2)
    const path = `/api/activity?agent=${scene.agentId}&eventType=verification.reused`
    for (const bearer of [undefined, scene.shop.apiKey]) {
      const { items } = (await scene.agentOwner.call('GET', path, bearer === undefined ? {} : { bearer }))
        .body
      expect(items).to.have.length(2)
      expect(items[0].eventData).to.include({
        purpose: 'shopping:buy',
        resource: '/orders/1',
        isSigned: true,
      })
      expect(items[0].eventData).to.not.have.property('contradiction')
    }
    expect(gateway.warnings).to.deep.equal([])
  })

  it('answers requests with a body, and by keys of each kind', async () => {
    const gateway = scene.open()
    const signer = await scene.addedKey(scene.agentId, 'ecdsa-p256-sha256')
    for (const sent of [{ body: '{"total":5}' }, { signer }, { signer, body: 'x' }]) {
      await gateway.granted(sent)
      expect(await gateway.reuses(sent)).to.equal(true)
    }
  })

  it('answers requests with another call of a tool', async () => {
    const gateway = scene.open()
    await gateway.granted({ fields: { callHash: 'a'.repeat(64) } })
    expect(await gateway.reuses({ fields: { callHash: 'b'.repeat(64) } })).to.equal(true)
  })

  it('answers no request of another method, path, purpose, key or agent', async () => {
    const gateway = scene.open()
    await gateway.granted()
    const otherId = await scene.agentOwner.agent({ pdlss: {} })
    for (const sent of [
      { method: 'DELETE' },
      { path: '/orders/2' },
      { path: '/orders/1/' },
      { fields: { purpose: 'shopping:sell' } },
      { fields: { resource: '/other' } },
      { fields: { jurisdiction: 'FR' } },
      { fields: { transactionValue: 0 } },
      { signer: await scene.addedKey(scene.agentId) },
      { agentId: otherId, signer: await scene.addedKey(otherId) },
    ]) {
      expect(await gateway.reuses(sent), JSON.stringify(sent)).to.equal(false)
    }
    expect(gateway.asked()).to.have.length(10)
  })

  it('answers no request that proves nothing, or proves more than its signature', async () => {
    const gateway = scene.open()
    await gateway.granted()
    const stranger = await generateAgentKey()
    for (const sent of [
      { signer: null },
      { signer: stranger },
      { signer: { ...stranger, keyid: scene.key.keyid } },
      { fields: { intentProof: 'a.b.c' } },
      { fields: { agentToken: 'a.b.c' } },
      { fields: { attemptId: crypto.randomUUID() } },
      { fields: { subAgent: { depth: 1 } } },
      { fields: { credentials: [{ type: 'vc' as const, value: 'a.b.c' }] } },
      { fields: { dryRun: true } },
      { fields: { mandate: { protocol: 'x402' as const, value: '{' } } },
    ]) {
      const { answer, isReused } = await gateway.ask(await scene.send(sent))
      expect(isReused, JSON.stringify(sent)).to.equal(false)
      const isRefused = sent.signer !== undefined || 'intentProof' in (sent.fields ?? {})
      if (isRefused) expect(answer.recommendation, JSON.stringify(sent)).to.equal('deny')
    }
    await gateway.reuse.settle()
    expect(gateway.reported()).to.deep.equal([])
  })

  it('answers no request that was changed on the way', async () => {
    const gateway = scene.open()
    await gateway.granted({ body: 'x' })
    const facts = await scene.send({ body: 'x', path: '/orders/1?a=1' })
    const headers = facts.headers as Record<string, string>
    const signedFor = headers['signature-input'] ?? ''
    for (const changed of [
      { ...facts, method: 'PUT' },
      { ...facts, target: '/orders/1?a=2' },
      { ...facts, target: '/orders/1' },
      { ...facts, headers: { ...headers, 'x-svc-purpose': 'shopping:sell' } },
      { ...facts, headers: { ...headers, 'signature-input': signedFor.replace(' "@query"', '') } },
    ]) {
      const { answer, isReused } = await gateway.ask(changed)
      expect([isReused, answer.recommendation]).to.deep.equal([false, 'deny'])
    }
    const otherBody = verificationFieldsOf(
      readRequest({ ...facts, body: 'y' }),
      await computeContentDigest('y'),
    )
    expect((await gateway.reuse.ask(gateway.client, otherBody)).answer.recommendation).to.equal('deny')
    // The service demands no signature of this header; here it has to be covered.
    const added = { ...facts, headers: { ...headers, 'signature-agent': '"https://agent.example"' } }
    expect((await gateway.ask(added)).isReused).to.equal(false)
    expect(await gateway.reuses({ body: 'x', path: '/orders/1?a=1' })).to.equal(true)
  })

  it('answers each signed request once, whether it or the service has answered it before', async () => {
    const gateway = scene.open()
    const first = await scene.send()
    await gateway.ask(first)
    await gateway.reuse.settle()
    const second = await scene.send()
    const both = await Promise.all([gateway.ask(second), gateway.ask(second)])
    expect(both.map(({ isReused }) => isReused)).to.deep.equal([true, false])
    const replayed = [both[1], await gateway.ask(second), await gateway.ask(first)]
    for (const { answer, isReused } of replayed) {
      expect([isReused, answer.recommendation]).to.deep.equal([false, 'deny'])
      expect(answer.access.failures?.map(({ dimension }) => dimension)).to.include('agent.proof')
    }
  })

  it('answers no request that was signed before it, which another gateway may have answered', async () => {
    const gateway = scene.open()
    const captured = await scene.send()
    scene.time.now += 2_000
    await gateway.granted()
    expect((await gateway.ask(captured)).isReused).to.equal(false)
  })

  it('answers no request with a signature that is not yet good, or no longer, or for too long', async () => {
    const gateway = scene.open()
    await gateway.granted()
    const { now } = scene.time
    const [early, late] = [await scene.send(), await scene.send({ lifetimeSeconds: 10 })]
    scene.time.now = now - 61_000
    expect((await gateway.ask(early)).isReused).to.equal(false)
    scene.time.now = now + 9_000
    expect(await gateway.reuses()).to.equal(true)
    scene.time.now = now + 10_000
    expect((await gateway.ask(late)).isReused).to.equal(false)
  })

  it('stays within the granted value in sum, the first request included', async () => {
    const gateway = scene.open()
    const taking = (useValue: number) => ({ fields: { transactionValue: 50 }, useValue })
    await gateway.granted(taking(20.2))
    const reuses = []
    for (const value of [10, 19.7, 0.2, 0.1, 0]) reuses.push(await gateway.reuses(taking(value)))
    expect(reuses).to.deep.equal([true, true, false, true, true])
    expect(gateway.asked().map(({ transactionValue }) => transactionValue)).to.deep.equal([50, 50])
    await gateway.reuse.settle()
    expect(gateway.reported().map((use) => (use as { value: number }).value)).to.deep.equal([
      10, 19.7, 0.1, 0,
    ])
    expect(gateway.warnings).to.deep.equal([])
  })

  it('is used up by one of two requests at once for the last of its value', async () => {
    const gateway = scene.open()
    const sent = { fields: { transactionValue: 50 }, useValue: 20 }
    await gateway.granted(sent)
    await gateway.reuses({ ...sent, useValue: 10 })
    const both = await Promise.all([gateway.reuses(sent), gateway.reuses(sent)])
    expect(both.toSorted()).to.deep.equal([false, true])
    await gateway.reuse.settle()
    expect(gateway.warnings).to.deep.equal([])
  })

  it('is not asked for by a request that would take more than it asks for', async () => {
    const gateway = scene.open()
    for (const sent of [
      { fields: { transactionValue: 5 }, useValue: 5.01 },
      { fields: { transactionValue: 5 }, useValue: -1 },
      { fields: { transactionValue: 5 }, useValue: Number.NaN },
      { useValue: 1 },
    ]) {
      const error = await gateway.ask(await scene.send(sent)).catch(({ message }) => message)
      expect(error).to.match(/^useValue must be a number from 0 to transactionValue/)
    }
    expect(gateway.asked()).to.deep.equal([])
  })

  it('gives back the value of a request that it does not answer', async () => {
    const gateway = scene.open()
    const sent = { fields: { transactionValue: 50 }, useValue: 10 }
    await gateway.granted(sent)
    const { key } = scene
    const forged = { ...sent, signer: { ...(await generateAgentKey()), keyid: key.keyid } }
    for (let i = 0; i < 5; i += 1) expect(await gateway.reuses(forged)).to.equal(false)
    const reuses = []
    for (let i = 0; i < 5; i += 1) reuses.push(await gateway.reuses(sent))
    expect(reuses).to.deep.equal([true, true, true, true, false])
  })

  it('is none after a step-up', async () => {
    const agentId = await scene.agentOwner.agent({
      pdlss: { limits: LIMITS },
    })
    const signer = await scene.addedKey(agentId)
    const gateway = scene.open()
    const sent = { agentId, signer, fields: { transactionValue: 45 } }
    const held = await gateway.ask(await scene.send(sent))
    expect(held.answer.recommendation).to.equal('step_up_required')
    const { approvalId = '', attemptId = '' } = held.answer.stepUpApproval ?? {}
    await scene.agentOwner.approve(approvalId)
    const granted = await gateway.ask(await scene.send({ ...sent, fields: { ...sent.fields, attemptId } }))
    expect(granted.answer.recommendation).to.equal('grant')
    await gateway.reuse.settle()
    expect(await gateway.reuses({ ...sent, fields: { transactionValue: 0 } })).to.equal(false)
  })
})
