import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createAgentKey } from '../../../../builders/createAgentKey.ts'
import { registerAgent } from '../../../../builders/participants.ts'
import type { Owner } from '../../approvals/openOwnerScene.ts'
import { type KeyScene, openKeyScene } from './openKeyScene.ts'

const UNKNOWN = 'SVC-0000000000000000000009'

describe('changes of an agent’s keys', () => {
  let scene: KeyScene
  let ada: Owner
  let agentId: string
  let account: PrivateKeyAccount
  let own: string

  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
    account = await scene.wallet(ada)
    const timestamp = Math.floor(scene.time.now / 1000)
    own = (await registerAgent(scene.baseUrl, {}, { account, timestamp })).svcId
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  it('are possible with a request that a wallet of the owner signs', async () => {
    const { jwk, kid } = createAgentKey()
    const added = await scene.signed(account, 'POST', scene.pathOf(own), { key: jwk })
    expect([added.status, added.body.key.kid]).to.deep.equal([201, kid])
    const revoked = await scene.signed(account, 'DELETE', `${scene.pathOf(own)}/${kid}`)
    expect([revoked.status, revoked.body.key.status]).to.deep.equal([200, 'revoked'])
  })

  it('need a fresh passkey in a session, and are not possible with an API key', async () => {
    const body = { key: createAgentKey().jwk }
    const path = scene.pathOf(own)
    expect(outcome(await ada.call('POST', path, { body }))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    const byKey = await scene.call('POST', path, { body, bearer: scene.shop.apiKey })
    expect(outcome(byKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect(outcome(await scene.call('POST', path, { body }))).to.deep.equal([401, 'UNAUTHENTICATED'])
  })

  it('are refused to other owners, their wallets, and wallets that are no longer linked', async () => {
    const eve = await scene.owner()
    const foreign = await scene.wallet(eve)
    const unlinked = await scene.wallet(ada)
    await scene.store('DELETE FROM wallets WHERE address = ?', unlinked.address.toLowerCase())
    const kid = await scene.added(ada, own)
    const body = { key: createAgentKey().jwk }
    const one = `${scene.pathOf(own)}/${kid}`
    for (const answer of [
      await scene.add(eve, own, body.key),
      await scene.revoke(eve, own, kid),
      await scene.signed(foreign, 'POST', scene.pathOf(own), body),
      await scene.signed(foreign, 'DELETE', one),
      await scene.signed(unlinked, 'POST', scene.pathOf(own), body),
    ]) {
      expect(outcome(answer)).to.deep.equal([403, 'FORBIDDEN'])
    }
    expect(outcome(await scene.signed(account, 'POST', scene.pathOf(UNKNOWN), body))).to.deep.equal([
      404,
      'NOT_FOUND',
    ])
  })

  it('are refused to the key of an agent that belongs to nobody’s account', async () => {
    const agentsOwn = await scene.wallet(ada)
    const address = agentsOwn.address.toLowerCase()
    await scene.store('DELETE FROM wallets WHERE address = ?', address)
    await scene.store('UPDATE agents SET signer_address = ? WHERE svc_id = ?', address, agentId)
    const body = { key: createAgentKey().jwk }
    expect(outcome(await scene.signed(agentsOwn, 'POST', scene.pathOf(agentId), body))).to.deep.equal([
      403,
      'FORBIDDEN',
    ])
  })

  it('of an organisation’s agent need a session of a member who may write', async () => {
    const [viewer, admin] = [await scene.owner(), await scene.owner()]
    const organizationId = await ada.organizationWith([
      [viewer, 'viewer'],
      [admin, 'admin'],
    ])
    const owned = await ada.agent({}, organizationId)
    const { jwk } = createAgentKey()
    expect(outcome(await scene.add(viewer, owned, jwk))).to.deep.equal([403, 'FORBIDDEN'])
    const bySigner = await scene.signed(account, 'POST', scene.pathOf(owned), { key: jwk })
    expect(outcome(bySigner)).to.deep.equal([403, 'FORBIDDEN'])
    expect((await scene.add(admin, owned, jwk)).status).to.equal(201)
  })

  it('are recorded for the owner, with the thumbprint as a public fact of the audit record', async () => {
    const { jwk, kid } = createAgentKey('P-256')
    await scene.add(ada, agentId, jwk, { name: 'laptop' })
    await scene.revoke(ada, agentId, kid)
    for (const eventType of ['agent.key_added', 'agent.key_revoked']) {
      const [event, ...more] = await scene.events(ada, agentId, eventType)
      expect(more).to.deep.equal([])
      expect(event.eventData).to.include({ kid, crv: 'P-256', keyName: 'laptop' })
      const record = await ada.call('GET', `/api/audit/records/${event.auditRecordId}`)
      const entry = JSON.parse(Buffer.from(record.body.record.entry, 'base64').toString())
      expect([entry.type, entry.subject]).to.deep.equal([eventType, { kid }])
    }
    const theirs = await scene.call('GET', '/api/activity?eventType=agent.key_added', {
      bearer: scene.shop.apiKey,
    })
    expect(theirs.body.items).to.deep.equal([])
  })

  it('that add a key alert the owner once', async () => {
    const kid = await scene.added(ada, agentId)
    const { items } = (await ada.call('GET', '/api/alerts?limit=100')).body
    const alerts = items.filter(({ data }: { data: { kid?: string } }) => data.kid === kid)
    expect(alerts.map(({ code }: { code: string }) => code)).to.deep.equal(['agent.key_added'])
    expect(alerts[0]).to.deep.include({ severity: 'warning', data: { agentId, kid } })
  })
})
