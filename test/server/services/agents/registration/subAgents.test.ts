import { randomUUID } from 'node:crypto'
import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { signHeaders } from '../../../../builders/participants.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { containsValue } from '../../../../harness/values/containsValue.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../../approvals/openOwnerScene.ts'

const PATH = '/api/agents/register'
const COPIES = 64
const UNKNOWN = 'SVC-0000000000000000000009'

const OPEN = { selfInstantiation: { allowed: true } }
const LIMITED = {
  limits: { autonomousThreshold: 4711, approvalThreshold: 84711, currency: 'USD' },
  selfInstantiation: { allowed: true },
}

describe('sub-agents', () => {
  let scene: OwnerScene
  let ada: Owner
  let key: PrivateKeyAccount

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    key = privateKeyToAccount(generatePrivateKey())
    await scene.store(
      'INSERT INTO wallets VALUES (?, ?, ?)',
      key.address.toLowerCase(),
      ada.userId,
      scene.time.now,
    )
  })
  after(() => scene?.service.stop())

  async function register(fields: object, account = key) {
    const body = { name: 'Shopper', ...fields }
    const timestamp = Math.floor(scene.time.now / 1000)
    const headers = await signHeaders(account, {
      method: 'POST',
      path: PATH,
      body: JSON.stringify(body),
      timestamp,
    })
    return api(scene.baseUrl, 'POST', PATH, { body, headers })
  }
  async function agent(pdlss: object, parentAgentId?: string): Promise<string> {
    const { status, body } = await register({ pdlss, ...(parentAgentId ? { parentAgentId } : {}) })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body.data.agent.svcId
  }
  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const step = (name: string, id: string) => ada.call('POST', `/api/agents/${id}/${name}`)
  const view = async (id: string) => (await ada.call('GET', `/api/agents/${id}`)).body.agent
  const statusOf = async (id: string) => (await view(id)).agentStatus
  const verify = async (agentId: string) =>
    (await scene.verify({ agentId, counterpartyId: scene.svceId, purpose: 'shopping' })).body

  describe('POST /api/agents/register with parentAgentId', () => {
    it('stores a sub-agent within the boundary of its parent, under the same owner', async () => {
      const parent = await agent(LIMITED)
      const child = await agent({ limits: { ...LIMITED.limits, autonomousThreshold: 10 } }, parent)
      const seen = await view(child)
      expect(seen.parentAgentId).to.equal(parent)
      expect(seen.ownerIdentifier).to.equal((await view(parent)).ownerIdentifier)
      expect((await verify(child)).recommendation).to.equal('grant')
    })

    it('names each field that exceeds the parent’s boundary, without its value', async () => {
      const parent = await agent(LIMITED)
      const refused = await register({
        parentAgentId: parent,
        pdlss: { limits: { autonomousThreshold: 5000 } },
      })
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/pdlss/limits/autonomousThreshold',
        '/pdlss/limits/currency',
      ])
      expect(containsValue(JSON.stringify(refused.body), '4711')).to.equal(false)
    })

    it('fills open fields from the parent’s boundary, if the parent passes it on', async () => {
      const parent = await agent({
        ...LIMITED,
        selfInstantiation: { allowed: true, inheritPermissions: true, maxDepth: 1 },
      })
      const child = await view(await agent({}, parent))
      expect(child.pdlss).to.deep.equal({
        limits: LIMITED.limits,
        selfInstantiation: { allowed: false, inheritPermissions: true, maxDepth: 0 },
      })
      const plain = await agent(LIMITED)
      expect(outcome(await register({ parentAgentId: plain }))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('inherits the owner’s approval rules', async () => {
      const parent = await agent(OPEN)
      const rules = [{ dimension: 'purpose', match: { categories: ['shopping'] } }]
      const put = await ada.call('PUT', `/api/agents/${parent}/approval-rules`, {
        body: { rules },
        headers: { 'x-svc-elevation': await ada.elevation() },
      })
      expect(put.status, JSON.stringify(put.body)).to.equal(200)
      expect((await view(await agent({}, parent))).approvalRules).to.deep.equal(rules)
    })

    it('refuses if the parent may have none, at the maximum depth, and beyond the cap, in the same words', async () => {
      const closed = await agent({})
      const flat = await agent({ selfInstantiation: { allowed: true, maxDepth: 1 } })
      const child = await agent({ selfInstantiation: { allowed: true, maxDepth: 0 } }, flat)
      const full = await agent({ selfInstantiation: { allowed: true, maxSubAgents: 1 } })
      await agent({}, full)
      const answers = await Promise.all([closed, child, full].map((id) => register({ parentAgentId: id })))
      for (const answer of answers) {
        expect(outcome(answer)).to.deep.equal([403, 'SUB_AGENT_REFUSED'])
        expect(answer.body.errors).to.deep.equal(answers[0]?.body.errors)
      }
    })

    it('counts descendants against every ancestor, but not retired ones', async () => {
      const root = await agent({ selfInstantiation: { allowed: true, maxSubAgents: 2 } })
      const child = await agent({ selfInstantiation: { allowed: true, maxSubAgents: 2 } }, root)
      const grandchild = await agent({}, child)
      expect(outcome(await register({ parentAgentId: child }))).to.deep.equal([403, 'SUB_AGENT_REFUSED'])
      await step('retire', grandchild)
      await agent({}, child)
    })

    it(`stores 5 of ${COPIES} concurrent sub-agents where 5 are allowed`, async () => {
      const parent = await agent({ selfInstantiation: { allowed: true, maxSubAgents: 5 } })
      const answers = await Promise.all(
        Array.from({ length: COPIES }, () => register({ parentAgentId: parent })),
      )
      expect(answers.filter(({ status }) => status === 201).length).to.equal(5)
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201, 403]))
      expect((await view(parent)).subAgentCount).to.equal(5)
    })

    it('refuses a signed registration that the owner has to approve', async () => {
      const parent = await agent({ selfInstantiation: { allowed: true, requireApproval: true } })
      const refused = await register({ parentAgentId: parent })
      expect(outcome(refused)).to.deep.equal([403, 'SUB_AGENT_REFUSED'])
      expect(refused.body.errors[0].code).to.equal('approval_required')
    })

    it('responds identically for another owner’s agent and an unknown one', async () => {
      const eve = await (await scene.owner()).agent({ pdlss: OPEN })
      const answers = await Promise.all([eve, UNKNOWN].map((id) => register({ parentAgentId: id })))
      for (const answer of answers) {
        expect(outcome(answer)).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(answer.body.errors).to.deep.equal(answers[0]?.body.errors)
      }
      expect(outcome(await register({ parentAgentId: 'someone' }))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('refuses a parent that is suspended, retired, or below an inactive one', async () => {
      const root = await agent(OPEN)
      const parent = await agent(OPEN, root)
      await step('suspend', root)
      for (const id of [root, parent]) {
        expect(outcome(await register({ parentAgentId: id }))).to.deep.equal([409, 'INVALID_STATE'])
      }
      await step('retire', root)
      expect(outcome(await register({ parentAgentId: parent }))).to.deep.equal([409, 'INVALID_STATE'])
    })
  })

  describe('the chain of parents', () => {
    it('is visible to the owner only', async () => {
      const root = await agent(OPEN)
      const parent = await agent(OPEN, root)
      const child = await agent({}, parent)
      const seen = await view(child)
      expect(seen.parents.map(({ svcId }: { svcId: string }) => svcId)).to.deep.equal([parent, root])
      expect((await view(root)).subAgentCount).to.equal(2)
      const others = [
        await scene.call('GET', `/api/agents/${child}`),
        await scene.call('GET', `/api/agents/${child}`, { bearer: scene.shop.apiKey }),
        await scene.call('GET', `/api/agents/${child}/card`),
        { body: await verify(child) },
      ]
      for (const { body } of others) {
        expect(JSON.stringify(body)).not.to.include(root)
        expect(JSON.stringify(body)).not.to.include(parent)
        expect(JSON.stringify(body)).not.to.match(/parent|subAgentCount|isHeld/)
      }
    })
  })

  describe('a suspended parent', () => {
    it('suspends its descendants for as long, and leaves individually suspended ones suspended', async () => {
      const root = await agent(OPEN)
      const parent = await agent(OPEN, root)
      const [child, own] = [await agent({}, parent), await agent({}, parent)]
      await step('suspend', own)
      expect((await verify(child)).recommendation).to.equal('grant')
      await step('suspend', root)
      const denied = await verify(child)
      expect([denied.recommendation, denied.agent.agentStatus]).to.deep.equal(['deny', 'suspended'])
      expect(denied.access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.include(
        'agent.status',
      )
      await step('suspend', parent)
      await step('resume', root)
      expect(await statusOf(child)).to.equal('suspended')
      await step('resume', parent)
      expect([await statusOf(child), await statusOf(own)]).to.deep.equal(['active', 'suspended'])
      expect((await verify(child)).recommendation).to.equal('grant')
    })

    it('updates the registration files of its descendants, with the commitments to them', async () => {
      const parent = await agent(OPEN)
      const child = await agent({}, parent)
      for (const [name, active] of [
        ['suspend', false],
        ['resume', true],
        ['retire', false],
      ] as const) {
        await step(name, parent)
        const response = await fetch(`${scene.baseUrl}/registration-files/${child}.json`)
        const bytes = Buffer.from(await response.arrayBuffer())
        expect(JSON.parse(bytes.toString()).active, name).to.equal(active)
        expect((await view(child)).registrationFileHash, name).to.equal(sha256Hex(bytes))
      }
    })
  })

  describe('a retired parent', () => {
    it('retires every descendant, including suspended ones, each with its own record', async () => {
      const root = await agent(OPEN)
      const parent = await agent(OPEN, root)
      const [child, own] = [await agent({}, parent), await agent({}, parent)]
      const sibling = await agent({})
      await step('suspend', own)
      expect((await step('retire', root)).status).to.equal(200)
      for (const id of [root, parent, child, own]) {
        expect(await statusOf(id)).to.equal('retired')
        expect((await verify(id)).recommendation).to.equal('deny')
        expect(outcome(await step('resume', id))).to.deep.equal([409, 'INVALID_STATE'])
        const retired = await waitUntil(async () => {
          const { items } = (await ada.call('GET', `/api/activity?agent=${id}&eventType=agent.retired`)).body
          return items.length > 0 ? items : null
        })
        expect(retired.length).to.equal(1)
      }
      expect(await statusOf(sibling)).to.equal('active')
      expect((await view(root)).subAgentCount).to.equal(0)
    })

    it('leaves no sub-agent behind that is registered concurrently', async () => {
      const parent = await agent(OPEN)
      const registrations = Array.from({ length: 10 }, () =>
        register({ parentAgentId: parent, name: randomUUID() }),
      )
      const [answers] = await Promise.all([Promise.all(registrations), step('retire', parent)])
      for (const { status, body } of answers) {
        if (status === 201) expect(await statusOf(body.data.agent.svcId)).to.equal('retired')
        else expect(status).to.equal(409)
      }
    })
  })
})
