import { expect } from 'chai'
import { CONTACT, type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

const SUSPENDED = [403, 'ORGANIZATION_SUSPENDED']

describe('the suspension of an organisation', () => {
  let scene: OperatorScene
  before(async () => {
    scene = await openOperatorScene()
  })
  after(() => scene?.service.stop())

  type Person = Awaited<ReturnType<OperatorScene['person']>>
  const suspend = async ({ organizationId }: { organizationId: string }) =>
    expect((await scene.order(`organizations/${organizationId}/suspend`)).status).to.equal(200)
  const resume = async ({ organizationId }: { organizationId: string }) =>
    expect((await scene.order(`organizations/${organizationId}/resume`)).status).to.equal(200)
  const addMember = ({ organizationId }: Person, { user }: Person, role: string) =>
    scene.rows(
      `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, ?, 'active', 1)`,
      ...[organizationId, user.id, role],
    )

  it('refuses its API keys, and not the personal keys and other organisations of its members', async () => {
    const [owner, member] = [await scene.person(), await scene.person()]
    await addMember(owner, member, 'member')
    const own = await scene.endpointOf(member.apiKey)
    await suspend(owner)
    for (const path of ['/api/activity', '/api/endpoints/SVCE-0000000000000000000000']) {
      const refused = await scene.call('GET', path, { bearer: owner.apiKey })
      expect(outcomeOf(refused)).to.deep.equal(SUSPENDED)
    }
    expect((await scene.call('GET', '/api/activity', { bearer: owner.personalKey })).status).to.equal(200)
    expect((await scene.verify(member.apiKey, { counterpartyId: own })).status).to.equal(200)
    await resume(owner)
    expect((await scene.call('GET', '/api/activity', { bearer: owner.apiKey })).status).to.equal(200)
  })

  it('closes its endpoints for everybody, whatever key asks, until it ends', async () => {
    const owner = await scene.person()
    const counterpartyId = await scene.endpointOf(owner.apiKey)
    const counterpartyUrl = (
      await scene.call('GET', `/api/endpoints/${counterpartyId}`, { bearer: owner.apiKey })
    ).body.endpoint.counterpartyUrl
    const agentId = await scene.agentOf((await scene.person()).user.developerId)
    const ask = (where: object) => scene.decide(owner.personalKey, { agentId, ...where })
    expect(await ask({ counterpartyId })).to.deep.equal(['grant'])
    await suspend(owner)
    for (const where of [{ counterpartyId }, { counterpartyUrl }]) {
      expect(await ask(where)).to.deep.equal(['deny', 'counterparty.status'])
    }
    expect((await scene.decide(owner.personalKey, { counterpartyId }))[0]).to.equal('deny')
    await resume(owner)
    for (const where of [{ counterpartyId }, { counterpartyUrl }]) {
      expect(await ask(where)).to.deep.equal(['grant'])
    }
  })

  it('has its agents denied as not active, in a decision that can be replayed, and their receipts withdrawn', async () => {
    const [shop, owner] = [await scene.person(), await scene.person()]
    const counterpartyId = await scene.endpointOf(shop.apiKey)
    const agentId = await scene.agentOf(owner.organizationId)
    const ask = () => scene.decide(shop.apiKey, { agentId, counterpartyId })
    const granted = await scene.verify(shop.apiKey, { agentId, counterpartyId, includeReceipt: true })
    expect(granted.body.recommendation).to.equal('grant')
    expect(await scene.isWithdrawn(granted.body.auditRecordId)).to.equal(false)
    await suspend(owner)
    expect(await scene.isWithdrawn(granted.body.auditRecordId)).to.equal(true)
    const { body } = await scene.verify(shop.apiKey, { agentId, counterpartyId })
    expect(body.access.failures[0].dimension).to.equal('agent.status')
    const path = `/api/audit/records/${body.auditRecordId}/replay`
    const replayed = await scene.call('POST', path, { bearer: shop.apiKey, body: {} })
    expect(replayed.body.reproduced).to.equal(true)
    await resume(owner)
    expect(await ask()).to.deep.equal(['grant'])
  })

  it('lets a response under an Idempotency-Key not outlive it', async () => {
    const [shop, owner] = [await scene.person(), await scene.person()]
    const body = {
      counterpartyId: await scene.endpointOf(shop.apiKey),
      agentId: await scene.agentOf(owner.organizationId),
    }
    const ask = () =>
      scene.call('POST', '/api/agents/verify-access', {
        ...{ bearer: shop.apiKey, body },
        headers: { 'idempotency-key': 'once' },
      })
    expect((await ask()).body.recommendation).to.equal('grant')
    await suspend(owner)
    expect((await ask()).body.recommendation).to.equal('deny')
  })

  describe('leaves to its members', () => {
    let owner: Person
    let bearer: string
    let endpoint: string
    let key: string

    before(async () => {
      owner = await scene.person()
      bearer = owner.accessToken
      endpoint = await scene.endpointOf(owner.apiKey)
      const keys = (await scene.call('GET', '/api/api-keys', { bearer })).body.items
      key = keys.find(({ name }: { name: string }) => name === 'organisation').id
      await suspend(owner)
    })

    it('to see that it is suspended, and to read what it has', async () => {
      const [shown] = (await scene.call('GET', '/api/organizations', { bearer })).body.items
      expect(shown).to.include({ isSuspended: true, status: 'active', role: 'owner' })
      expect((await scene.call('GET', `/api/endpoints/${endpoint}`, { bearer })).status).to.equal(200)
    })

    it('to revoke its keys and to leave it', async () => {
      const revoked = await scene.call('DELETE', `/api/api-keys/${key}`, { bearer })
      expect(revoked.status).to.equal(200)
      const member = await scene.person()
      await addMember(owner, member, 'member')
      const fresh = (await member.logIn()).body.data.accessToken
      const path = `/api/organizations/${owner.organizationId}/members/${member.user.id}`
      expect((await scene.call('DELETE', path, { bearer: fresh })).status).to.equal(200)
    })
  })

  it('refuses decisions about its sessions and their end by personal keys of its members, as to a viewer at any time', async () => {
    const [owner, viewer] = [await scene.person(), await scene.person()]
    await addMember(owner, viewer, 'viewer')
    const counterpartyId = await scene.endpointOf(owner.apiKey)
    const agentId = await scene.agentOf((await scene.person()).user.developerId)
    const { sessionId } = (await scene.verify(owner.apiKey, { agentId, counterpartyId })).body
    const write = async (bearer: string, path: string, body: object) =>
      outcomeOf(await scene.call('POST', `/api/agents/verify-access/${sessionId}/${path}`, { bearer, body }))
    const WRITES = [
      ['decision', { decision: 'denied' }],
      ['end', {}],
    ] as const
    await suspend(owner)
    for (const { personalKey } of [owner, viewer]) {
      for (const [path, body] of WRITES) {
        expect(await write(personalKey, path, body), path).to.deep.equal(SUSPENDED)
      }
    }
    await resume(owner)
    for (const [path, body] of WRITES) {
      expect(await write(viewer.personalKey, path, body), path).to.deep.equal([403, 'FORBIDDEN'])
    }
    expect((await write(owner.personalKey, 'decision', { decision: 'denied' }))[0]).to.equal(200)
  })

  it('refuses who accepts an invitation into it', async () => {
    const [owner, invited] = [await scene.person(), await scene.person()]
    const path = `/api/organizations/${owner.organizationId}/members`
    await scene.call('POST', path, {
      ...{ bearer: owner.accessToken, body: { email: invited.user.email, role: 'member' } },
    })
    const mail = await scene.mailTo(invited.user.email, 'Invitation to an organisation')
    const token = /invitations\/([\w-]{43})/.exec(mail)?.[1]
    await suspend(owner)
    const accept = () =>
      scene.call('POST', '/api/invitations/accept', { bearer: invited.accessToken, body: { token } })
    expect(outcomeOf(await accept())).to.deep.equal(SUSPENDED)
    await resume(owner)
    expect((await accept()).status).to.equal(200)
  })

  describe('is told', () => {
    it('to its owners and admins by e-mail, and to all members by alert and event', async () => {
      const [owner, admin, member] = [await scene.person(), await scene.person(), await scene.person()]
      await addMember(owner, admin, 'admin')
      await addMember(owner, member, 'member')
      await suspend(owner)
      for (const { user } of [owner, admin]) {
        const mail = await scene.mailTo(user.email, 'Your organisation was suspended')
        expect(mail).to.contain(REASON).and.contain(CONTACT)
      }
      const mailed = await scene.mailsTo(member.user.email)
      expect(mailed.map(({ template }) => template)).not.to.include('organization_standing')
      const bearer = (await member.logIn()).body.data.accessToken
      const { items } = (await scene.call('GET', '/api/alerts', { bearer })).body
      const { organizationId } = owner
      expect(items[0]).to.deep.include({
        code: 'organization.suspended',
        data: { organizationId, organizationName: 'Acme', reason: REASON },
      })
      const event = await scene.seenIn(bearer, 'organization.suspended')
      expect(event.eventData).to.deep.equal({
        ...{ organizationId, organizationName: 'Acme' },
        decidedBy: scene.operator.user.developerId,
      })
      await resume(owner)
      await scene.mailTo(owner.user.email, 'Your organisation is no longer suspended')
      await scene.seenIn(bearer, 'organization.resumed')
      const records = await scene.records('organization.suspended', 'owner_id', organizationId)
      expect(records).to.have.length(1)
      expect(JSON.stringify(records)).not.to.contain(REASON)
    })
  })

  describe('is refused', () => {
    it('for an organisation of the operator', async () => {
      const bearer = scene.operator.bearer
      const { organizationId } = (
        await scene.call('POST', '/api/organizations', { bearer, body: { name: 'Ours' } })
      ).body
      for (const step of ['suspend', 'resume']) {
        const refused = await scene.order(`organizations/${organizationId}/${step}`)
        expect(outcomeOf(refused)).to.deep.equal([403, 'FORBIDDEN'])
      }
    })

    it('if it is in force already, its end if it is not, and both for an organisation that does not exist', async () => {
      const owner = await scene.person()
      const path = `organizations/${owner.organizationId}`
      expect(outcomeOf(await scene.order(`${path}/resume`))).to.deep.equal([409, 'INVALID_STATE'])
      await suspend(owner)
      expect(outcomeOf(await scene.order(`${path}/suspend`))).to.deep.equal([409, 'INVALID_STATE'])
      for (const step of ['suspend', 'resume']) {
        const missing = await scene.order(`organizations/SVCO-0000000000000000000001/${step}`)
        expect(outcomeOf(missing)).to.deep.equal([404, 'NOT_FOUND'])
      }
    })

    it('without a reason', async () => {
      const owner = await scene.person()
      const refused = await scene.order(`organizations/${owner.organizationId}/suspend`, {})
      expect(outcomeOf(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })
})
