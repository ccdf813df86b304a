import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene, PDLSS } from '../approvals/openOwnerScene.ts'

const PATH = '/api/sample-counterparty'

describe('the sample counterparty', () => {
  const key = createAgentKey()
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  /** As agents reach it: the host of PUBLIC_URL. */
  let url: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent({ pdlss: PDLSS })
    // Its mint is an event of its own, and moves the score.
    await waitUntil(async () => ((await readAgent()).blockchainStatus === 'verified' ? true : null))
    await storeAgentKey(scene.service, agentId, key)
    url = scene.baseUrl.replace('127.0.0.1', 'localhost') + PATH
  })
  after(() => scene?.service.stop())

  const readAgent = async () => (await ada.call('GET', `/api/agents/${agentId}`)).body.agent
  const sign = (changes: Partial<Parameters<typeof signAsAgent>[1]> = {}) => {
    const created = Math.floor(scene.time.now / 1000)
    const { signature, signatureInput } = signAsAgent(key, { svcId: agentId, url, created, ...changes })
    return { Signature: signature, 'Signature-Input': signatureInput }
  }
  const visit = async (headers: Record<string, string>, purpose = 'shopping:buy') => {
    const all = { 'X-Svc-Id': agentId, 'X-Svc-Purpose': purpose, ...headers }
    const response = await fetch(url, { headers: all })
    return { status: response.status, body: await response.json() }
  }
  const countEvents = async () => (await ada.call('GET', `/api/activity?agent=${agentId}`)).body.items.length

  it('serves an agent that signed the request, with an event and an audit record', async () => {
    const { status, body } = await visit(sign())
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.include({ success: true, recommendation: 'grant', identityProof: 'signature' })
    const { items } = (await ada.call('GET', `/api/activity?agent=${agentId}`)).body
    expect(items[0].eventType).to.equal('verification.completed')
    expect(items[0].eventData).to.include({ recommendation: 'grant', identityProof: 'signature' })
    const record = await ada.call('GET', `/api/audit/records/${body.auditRecordId}`)
    expect(record.status).to.equal(200)
  })

  it('denies what the boundary does not allow, and says on which dimension', async () => {
    const { status, body } = await visit(sign(), 'gambling:bet')
    expect([status, body.recommendation]).to.deep.equal([200, 'deny'])
    expect(body.failures.map(({ dimension }: { dimension: string }) => dimension)).to.include('pdlss.purpose')
  })

  it('serves a signature once', async () => {
    const headers = sign()
    expect((await visit(headers)).body.recommendation).to.equal('grant')
    const { body } = await visit(headers)
    expect([body.recommendation, body.failures[0].dimension]).to.deep.equal(['deny', 'agent.proof'])
  })

  it('decides and records nothing for a request that proves nothing', async () => {
    const before = await countEvents()
    const foreign = { svcId: agentId, url: `https://shop.example${PATH}` }
    const stranger = createAgentKey()
    const forged = signAsAgent(stranger, { svcId: agentId, url, created: Math.floor(scene.time.now / 1000) })
    for (const [what, headers, why] of [
      ['signed for another host', sign(foreign), 'does not verify'],
      ['expired', sign({ created: Math.floor(scene.time.now / 1000) - 900 }), 'has expired'],
      [
        'by a key of nobody',
        { ...sign(), Signature: forged.signature, 'Signature-Input': forged.signatureInput },
        'names a key or account that does not sign',
      ],
      ['by another agent', { ...sign(), 'X-Svc-Id': 'SVC-0000000000000000000001' }, ''],
    ] as const) {
      const { status, body } = await visit(headers as Record<string, string>)
      expect([status, body.code], what).to.deep.equal([401, 'invalid_signature'])
      expect(body.message, what)
        .to.match(/^The signature does not prove this agent\./)
        .and.include(why)
    }
    expect(await countEvents()).to.equal(before)
  })

  it('rejects a request without a signature', async () => {
    const { status, body } = await visit({})
    expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
  })

  it('rejects a request without a purpose', async () => {
    const { status, body } = await visit(sign(), 'no purpose')
    expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
  })

  it('says nothing of how the agent behaves, however often it serves it', async () => {
    const { trustScore } = await readAgent()
    for (let times = 0; times < 3; times += 1)
      expect((await visit(sign())).body.recommendation).to.equal('grant')
    expect((await readAgent()).trustScore).to.equal(trustScore)
    const rows = await scene.service.rows<{ event_data: string }>(
      `SELECT event_data FROM audit_records WHERE agent_id = ? AND event_type = 'verification.completed'`,
      agentId,
    )
    expect(rows.length).to.be.greaterThan(3)
    for (const { event_data: data } of rows) expect(JSON.parse(data).behaviourSource).to.equal(null)
  })
})
