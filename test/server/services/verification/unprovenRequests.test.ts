import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('a request that names an agent and proves nothing', () => {
  let scene: OwnerScene
  let ada: Owner
  let stranger: Organisation
  let strangers: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    stranger = await createOrganisation(scene.baseUrl)
    strangers = await registerEndpoint(scene.baseUrl, stranger.apiKey)
  })
  after(() => scene?.service.stop())

  type Answer = { body: { recommendation: string; access: { failures?: { dimension: string }[] } } }
  const seen = ({ body }: Answer) => [
    body.recommendation,
    ...(body.access.failures ?? []).map(({ dimension }) => dimension),
  ]
  /** A request of the stranger, who only knows the agent's identifier. */
  const claim = async (agentId: string, fields: object = {}) =>
    seen(await scene.verifyUnproven({ agentId, counterpartyId: strangers, ...fields }, stranger))
  /** A request of the agent itself at the shop. */
  const prove = async (agentId: string, fields: object = {}) =>
    seen(await scene.verify({ agentId, counterpartyId: scene.svceId, ...fields }))

  const digestsTo = async ({ email }: Owner) => {
    const sql = `SELECT id FROM mail_outbox WHERE template = 'approvals_unproven' AND recipient = ?`
    return (await scene.store(sql, email)).length
  }

  it('uses up the hourly cap of nobody but its own account', async () => {
    const agentId = await ada.agent({ pdlss: { limits: { maxTransactionsPerHour: 4 } } })
    const cent = { transactionValue: 0.01 }
    for (let nth = 0; nth < 4; nth += 1) expect(await claim(agentId, cent)).to.deep.equal(['grant'])
    expect(await claim(agentId, cent)).to.deep.equal(['deny', 'pdlss.rate'])
    for (let nth = 0; nth < 4; nth += 1) expect(await prove(agentId, cent)).to.deep.equal(['grant'])
    expect(await prove(agentId, cent)).to.deep.equal(['deny', 'pdlss.rate'])
  })

  it('uses up the spend of nobody who proves the agent at the same endpoint', async () => {
    const agentId = await ada.agent({ pdlss: {} })
    const pdlss = { limits: { maxCumulativeSpend: 10 } }
    const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    const paying = { agentId, counterpartyId, transactionValue: 10 }
    expect(seen(await scene.verifyUnproven(paying))).to.deep.equal(['grant'])
    expect(seen(await scene.verifyUnproven(paying))).to.deep.equal(['deny', 'endpoint.limits'])
    expect(seen(await scene.verify(paying))).to.deep.equal(['grant'])
    expect(seen(await scene.verify(paying))).to.deep.equal(['deny', 'endpoint.limits'])
  })

  it('counts in a sum over everybody at an endpoint, which is the cap of that endpoint', async () => {
    const agentId = await ada.agent({ pdlss: {} })
    const pdlss = { limits: { maxCumulativeSpend: 10, cumulativeScope: 'endpoint' } }
    const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    const paying = { agentId, counterpartyId, transactionValue: 10 }
    expect(seen(await scene.verifyUnproven(paying))).to.deep.equal(['grant'])
    expect(seen(await scene.verify(paying))).to.deep.equal(['deny', 'endpoint.limits'])
  })

  it('burns no sub-agents of the agent, whose own count until their sessions end', async () => {
    const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 2 } }
    const agentId = await ada.agent({ pdlss })
    const creating = { subAgent: { depth: 1 }, sessionDuration: 600 }
    const full = ['deny', 'pdlss.selfInstantiation']
    for (const ask of [claim, prove]) {
      expect(await ask(agentId, creating)).to.deep.equal(['grant'])
      expect(await ask(agentId, creating)).to.deep.equal(['grant'])
      expect(await ask(agentId, creating)).to.deep.equal(full)
    }
    scene.time.now += 599_000
    expect(await prove(agentId, creating)).to.deep.equal(full)
    scene.time.now += 2_000
    expect(await prove(agentId, creating)).to.deep.equal(['grant'])
    expect(await claim(agentId, creating)).to.deep.equal(['grant'])
  })

  it('counts no sub-agent for longer than a day, nor after its session or the agent was stopped', async () => {
    const agentId = await ada.agent({ pdlss: { selfInstantiation: { allowed: true, maxSubAgents: 1 } } })
    const creating = { subAgent: { depth: 1 }, sessionDuration: 31_536_000 }
    const full = ['deny', 'pdlss.selfInstantiation']
    const ask = async () => {
      const request = { agentId, counterpartyId: strangers, ...creating }
      return (await scene.verifyUnproven(request, stranger)).body
    }
    const { sessionId, recommendation } = await ask()
    expect(recommendation).to.equal('grant')
    expect(await claim(agentId, creating)).to.deep.equal(full)
    const end = `/api/agents/verify-access/${sessionId}/end`
    const ended = await scene.call('POST', end, { bearer: stranger.apiKey, body: {} })
    expect(ended.status, JSON.stringify(ended.body)).to.equal(200)
    expect(await claim(agentId, creating)).to.deep.equal(['grant'])
    expect(await claim(agentId, creating)).to.deep.equal(full)
    for (const step of ['suspend', 'resume'])
      expect((await ada.call('POST', `/api/agents/${agentId}/${step}`, { body: {} })).status).to.equal(200)
    expect(await claim(agentId, creating)).to.deep.equal(['grant'])
    expect(await claim(agentId, creating)).to.deep.equal(full)
    scene.time.now += 24 * 3_600_000
    expect(await claim(agentId, creating)).to.deep.equal(['grant'])
    scene.time.now -= 24 * 3_600_000
  })

  it('neither lowers nor raises the score of the agent', async () => {
    const agentId = await ada.agent()
    // An identity on chain counts too, and arrives at any time.
    const before = await waitUntil(async () => {
      const { agent } = (await ada.call('GET', `/api/agents/${agentId}`)).body
      return agent.blockchainStatus === 'verified' ? (agent.trustScore as number) : null
    })
    for (let nth = 0; nth < 12; nth += 1) {
      await claim(agentId, { resource: '/elsewhere', purpose: 'shopping:buy', jurisdiction: 'de' })
      await claim(agentId, { resource: '/orders/1', purpose: 'shopping:buy', jurisdiction: 'de' })
    }
    const { body } = await scene.verifyUnproven(scene.asking(agentId, { transactionValue: 1 }))
    expect(body.agent.trustScore).to.equal(before)
    const outcomes = await scene.service.rows<{ event_data: string }>(
      'SELECT event_data FROM audit_records WHERE agent_id = ? AND session_id IS NOT NULL',
      agentId,
    )
    for (const { event_data } of outcomes) {
      expect(JSON.parse(event_data)).to.include({ identityProof: 'none', countsAgainstAgent: false })
    }
  })

  it('puts at most three requests of one account before an owner; those of the agent itself still arrive', async () => {
    const agentId = await ada.agent()
    const held = (fields: object = {}) => scene.asking(agentId, { counterpartyId: strangers, ...fields })
    const first = held()
    expect(seen(await scene.verifyUnproven(first, stranger))[0]).to.equal('step_up_required')
    const more = await Promise.all(Array.from({ length: 10 }, () => scene.verifyUnproven(held(), stranger)))
    expect(more.filter(({ body }) => body.recommendation === 'step_up_required').length).to.equal(2)
    const refused = more.filter(({ body }) => body.recommendation === 'deny')
    // Nothing of what the owner would be asked.
    expect(new Set(refused.flatMap((one) => seen(one).slice(1)))).to.deep.equal(
      new Set(['approvals.pending']),
    )
    expect(refused[0]?.body.access.failures[0].guidance).to.match(/Prove the identity/)
    expect(seen(await scene.verifyUnproven(first, stranger))[0]).to.equal('step_up_required')
    expect((await scene.asked(agentId)).approvalId).to.be.a('string')
    await ada.deny((await scene.verifyUnproven(first, stranger)).body.stepUpApproval.approvalId)
    expect(seen(await scene.verifyUnproven(held(), stranger))[0]).to.equal('step_up_required')
  })

  it('puts at most twenty before an owner, however many accounts ask, with a mail for each account', async () => {
    const ben = await scene.owner()
    const agentId = await ben.agent()
    let held = 0
    for (let account = 0; account < 8; account += 1) {
      const other = await createOrganisation(scene.baseUrl)
      const counterpartyId = await registerEndpoint(scene.baseUrl, other.apiKey)
      for (let nth = 0; nth < 3; nth += 1) {
        const { body } = await scene.verifyUnproven(scene.asking(agentId, { counterpartyId }), other)
        if (body.recommendation === 'step_up_required') held += 1
      }
    }
    expect(held).to.equal(20)
    await waitUntil(async () => ((await digestsTo(ben)) === 7 ? true : null))
  })

  it('cannot fill the mailbox of an owner: 400 of one account leave three, and one mail in ten minutes', async () => {
    const ben = await scene.owner()
    const agentId = await ben.agent()
    const flood = async () => {
      const held = () => scene.asking(agentId, { counterpartyId: strangers })
      const answers = await Promise.all(
        Array.from({ length: 400 }, () => scene.verifyUnproven(held(), stranger)),
      )
      return answers.filter(({ body }) => body.recommendation === 'step_up_required').length
    }
    const alerts = async () => (await ben.call('GET', '/api/alerts?limit=100')).body.items.length as number
    expect(await flood()).to.equal(3)
    await waitUntil(async () => ((await alerts()) === 3 && (await digestsTo(ben)) > 0 ? true : null))
    expect(await flood()).to.equal(0)
    scene.time.now += 9 * 60_000
    expect(await flood()).to.equal(0)
    expect(await digestsTo(ben)).to.be.at.most(1)
    expect(await alerts()).to.equal(3)
    // What the agent itself asks is mailed at once.
    const { approvalId } = await scene.asked(agentId)
    const keys = () => scene.store(`SELECT message_key FROM mail_outbox WHERE recipient = ?`, ben.email)
    await waitUntil(async () => (JSON.stringify(await keys()).includes(approvalId) ? true : null))
  })

  it('counts for the person behind the endpoint, whatever organisations they open', async () => {
    const { accessToken: bearer } = await createOrganisation(scene.baseUrl)
    const places: { counterpartyId: string; bearer: string }[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const opened = await scene.call('POST', '/api/organizations', { bearer, body: { name: 'Another' } })
      const body = { name: 'another', organizationId: opened.body.organizationId }
      const apiKey: string = (await scene.call('POST', '/api/api-keys', { bearer, body })).body.key
      places.push({ counterpartyId: await registerEndpoint(scene.baseUrl, apiKey), bearer: apiKey })
    }
    const ask = async (agentId: string, fields: object) => {
      const answers = []
      for (const { counterpartyId, bearer: key } of places) {
        const body = { agentId, counterpartyId, ...fields }
        answers.push(seen(await scene.call('POST', '/api/agents/verify-access', { bearer: key, body })))
      }
      return answers.map(([recommendation]) => recommendation)
    }
    const capped = await ada.agent({ pdlss: { limits: { maxTransactionsPerHour: 2 } } })
    expect(await ask(capped, { transactionValue: 0.01 })).to.deep.equal([
      ...['grant', 'grant', 'deny', 'deny', 'deny'],
    ])
    const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 1 } }
    expect(await ask(await ada.agent({ pdlss }), { subAgent: { depth: 1 } })).to.deep.equal([
      ...['grant', 'deny', 'deny', 'deny', 'deny'],
    ])
    const { counterpartyId: _, agentId, attemptId: __, ...held } = scene.asking(await ada.agent())
    expect(await ask(agentId, held)).to.deep.equal([
      ...Array(3).fill('step_up_required'),
      ...Array(2).fill('deny'),
    ])
    const tried = await ada.agent()
    const dryRun = { dryRun: true, transactionValue: 1 }
    expect(await ask(tried, dryRun)).to.not.include(undefined)
    const [first] = places
    const sixth = { agentId: tried, counterpartyId: first?.counterpartyId, ...dryRun }
    const refused = await scene.call('POST', '/api/agents/verify-access', {
      bearer: first?.bearer ?? '',
      body: sixth,
    })
    expect(refused.status).to.equal(429)
  })
})
