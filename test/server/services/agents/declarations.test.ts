import { expect } from 'chai'
import { AGENT_BODY } from './agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registerAgent,
  registeredAgent,
} from './openRegistry.ts'

const { pdlss: _, a2a, ...BODY } = AGENT_BODY
const ACP = { merchantId: 'm1', checkoutEndpoint: 'https://pay.acp.io/checkout' }
const MPP = {
  merchantId: 'm2',
  facilitatorUrl: 'https://mpp.io',
  spendingLimit: 60,
  currency: 'EUR',
  novel: [1],
}

const FILLED = {
  purpose: { categories: ['financial_transaction'] },
  limits: { autonomousThreshold: 60, approvalThreshold: 60, currency: 'EUR' },
  scope: { counterparties: ['pay.acp.io', 'merchant:m1', 'mpp.io', 'merchant:m2'] },
}

describe('declared protocols of a registration', () => {
  let registry: Registry
  let owner: Person
  const signer = newSigner()

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
  })
  after(() => registry.close())

  const stored = async (body: object) => {
    const agent = await registry.stores.agents.bySvcId(await registeredAgent(registry, signer, body))
    if (!agent) throw new Error('the agent is gone')
    return agent
  }
  const pointers = (answer: { body: { errors?: { pointer: string }[] } }) =>
    (answer.body.errors ?? []).map(({ pointer }) => pointer)

  it('are stored unchanged and fill in the boundary', async () => {
    const agent = await stored({ ...BODY, acp: ACP, mpp: MPP })
    expect(agent.declarations).to.deep.equal({ acp: ACP, mpp: MPP })
    expect(agent.pdlss).to.deep.equal(FILLED)
  })

  it('also fill in the boundary that an owner is asked to approve', async () => {
    await registry.db.query('users').where({ id: owner.userId }).update({ kyd_verified_at: 1 })
    const { status, body } = await registry.call('POST', '/api/agents/register', {
      body: { ...BODY, acp: ACP, mpp: MPP },
      bearer: owner.personalKey,
    })
    expect(status, JSON.stringify(body)).to.equal(202)
    const [asked] = await registry.db.query('registration_requests').where({ id: body.requestId }).select('*')
    expect(JSON.parse(asked.registration).pdlss).to.deep.equal(FILLED)
  })

  it('remove nothing from the declared boundary', async () => {
    const pdlss = { limits: { autonomousThreshold: 10, approvalThreshold: 500, currency: 'USD' } }
    expect((await stored({ ...BODY, mpp: MPP, pdlss })).pdlss.limits).to.deep.equal(pdlss.limits)
  })

  it('may replace the agent’s URL by their own verification endpoint', async () => {
    const { agentUrl: _url, ...block } = a2a
    const agent = await stored({ ...BODY, a2a: block })
    expect(agent.declarations.a2a?.agentUrl).to.equal(BODY.apiEndpoint)
    const other = await stored(BODY)
    const patched = await registry.call('PATCH', `/api/agents/${other.svcId}`, {
      body: { a2a: block },
      bearer: owner.personalKey,
    })
    expect(patched.status).to.equal(200)
    const { declarations } = (await registry.stores.agents.bySvcId(other.svcId)) ?? {}
    expect(declarations?.a2a?.agentUrl).to.equal(BODY.apiEndpoint)
    const without = await registerAgent(registry, signer, { ...BODY, apiEndpoint: null, a2a: block })
    expect([without.status, pointers(without)]).to.deep.equal([400, ['/a2a/agentUrl']])
  })

  it('are rejected with a pointer to each invalid member, and nothing is stored', async () => {
    const before = await registry.stored()
    const wrong = {
      ...BODY,
      acp: { merchantId: 'has space', checkoutEndpoint: 'ftp://x.io' },
      mpp: { merchantId: 'm', spendingLimit: -1 },
      vi: { executionMode: 'Never', publicKey: 'k' },
      tap: { visaAgentId: 'v', publicKey: 'k', allowedMerchantDomains: ['ok.io', 'not a host'] },
    }
    const answer = await registerAgent(registry, signer, wrong)
    expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(pointers(answer)).to.deep.equal([
      '/acp/merchantId',
      '/acp/checkoutEndpoint',
      '/mpp/spendingLimit',
      '/vi/executionMode',
      '/tap/allowedMerchantDomains/1',
    ])
    expect(await registry.stored()).to.deep.equal(before)
  })

  it('are rejected if together they name more counterparties than a boundary can contain', async () => {
    const domains = (name: string) => Array.from({ length: 60 }, (_item, index) => `${name}${index}.io`)
    const answer = await registerAgent(registry, signer, {
      ...BODY,
      tap: { visaAgentId: 'v', publicKey: 'k', allowedMerchantDomains: domains('a') },
      agentpay: { mastercardAgentId: 'm', publicKey: 'k', allowedMerchantDomains: domains('b') },
    })
    expect([answer.status, pointers(answer)]).to.deep.equal([400, ['/pdlss/scope/counterparties']])
  })

  it('are validated by a patch that changes them, which leaves the boundary unchanged', async () => {
    const agent = await stored({ ...BODY, acp: ACP })
    const patch = (body: object) =>
      registry.call('PATCH', `/api/agents/${agent.svcId}`, { body, bearer: owner.personalKey })
    expect((await patch({ mpp: MPP })).status).to.equal(200)
    expect((await registry.stores.agents.bySvcId(agent.svcId))?.pdlss).to.deep.equal(agent.pdlss)
    const refused = await patch({ mpp: { spendingLimit: 'much' } })
    expect([refused.status, pointers(refused)]).to.deep.equal([400, ['/mpp/spendingLimit']])
  })
})
