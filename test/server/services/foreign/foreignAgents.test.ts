import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signAsAccount } from '../../../builders/signAsAccount.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import {
  type ForeignAccount,
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
  reviewer,
} from '../../../harness/chain/openForeignRegistry.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const URL_SIGNED = 'https://couriers.acme.io/orders/1'
const PDLSS = { purpose: { categories: ['shopping'] }, scope: { resources: ['/orders/**'] } }

describe('an agent of another registry', function () {
  this.timeout(180_000)
  const holder = foreignAccount(3)
  const buyer = foreignAccount(4)
  let foreign: ForeignScene
  let scene: OwnerScene
  let ada: Owner
  let svceId: string

  before(async () => {
    foreign = await openForeignRegistry()
    scene = await openOwnerScene({ FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' })
    ada = await scene.owner()
    const counterpartyUrl = 'https://couriers.acme.io/orders'
    svceId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { counterpartyUrl })
  })
  after(async () => {
    await scene?.service.stop()
    await foreign?.stop()
  })

  const seconds = () => Math.floor(scene.time.now / 1000)
  const verify = async (token: string, by: ForeignAccount | null, fields: object = {}) => {
    const signing = { name: token, url: URL_SIGNED, created: seconds() }
    const callerMetadata = by === null ? {} : await signAsAccount(by, signing)
    const request = { counterpartyId: svceId, purpose: 'shopping:buy', resource: '/orders/1', callerMetadata }
    const named = { credentials: [{ type: 'erc8004', value: token }] }
    const { body } = await scene.verifyUnproven({ ...request, ...named, ...fields })
    return body
  }
  const seen = (body: Awaited<ReturnType<typeof verify>>) => [
    ...[body.recommendation, body.identityProof],
    ...(body.access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension),
  ]
  const stating = (token: string, owner = ada, fields: object = {}) =>
    owner.call('POST', '/api/agents/adopt/statement', { body: { token, ...fields } })
  const adopt = async (token: string, by = holder, owner = ada, fields: object = {}) => {
    const { message, expiresAt } = (await stating(token, owner)).body
    const signature = await by.signMessage({ message })
    return owner.call('POST', '/api/agents/adopt', {
      body: { token, expiresAt, signature, pdlss: PDLSS, ...fields },
    })
  }
  /** Lets the state of tokens that was read before count no longer. */
  const passTime = () => {
    scene.time.now += 1_001
  }
  const alertsOf = async (owner: Owner) =>
    ((await owner.call('GET', '/api/alerts')).body.items as { code: string; data: object }[]).filter(
      ({ code }) => code === 'agent.adoption_ended',
    )

  it('is adopted, granted with proof, and refused one block after its token was transferred', async () => {
    const { agentId, token, file } = await foreign.register(holder)
    const adopted = await adopt(token)
    expect(adopted.status, JSON.stringify(adopted.body)).to.equal(201)
    const { agent } = adopted.body
    expect(agent).to.deep.include({
      name: file.name,
      agentStatus: 'active',
      blockchainStatus: 'verified',
      pdlss: PDLSS,
    })
    expect(agent.onChainIdentity).to.deep.include({ agentId, agentRegistry: foreign.agentRegistry })

    expect(seen(await verify(token, holder))).to.deep.equal(['grant', 'signature'])
    const granted = await verify(token, holder)
    expect(granted.agent.svcId).to.equal(agent.svcId)

    await foreign.transfer(holder, buyer.address, agentId)
    await foreign.mine()
    passTime()
    const by = { credentials: undefined, agentId: agent.svcId }
    expect(seen(await verify(token, holder, by))).to.include.members(['deny', 'agent.status'])
    expect(seen(await verify(token, holder))).to.deep.equal(['deny', 'none', 'agent.proof'])

    const { items } = (await ada.call('GET', '/api/activity?limit=50')).body
    const ended = items.find(({ eventType }: { eventType: string }) => eventType === 'agent.adoption_ended')
    expect(ended.eventData).to.include({ token, newOwner: buyer.address.toLowerCase() })
    expect(ended.auditRecordId).to.be.a('string')
    expect((await alertsOf(ada)).map(({ data }) => data)).to.deep.include({
      agentId: agent.svcId,
      agentName: file.name,
    })
    const read = (await ada.call('GET', `/api/agents/${agent.svcId}`)).body.agent
    expect(read.agentStatus).to.equal('retired')
  })

  it('is retired by the transfer even if nobody asks about it, and if the token comes back', async () => {
    const { agentId, token } = await foreign.register(holder)
    const { agent } = (await adopt(token)).body
    await foreign.transfer(holder, buyer.address, agentId)
    await foreign.transfer(buyer, holder.address, agentId)
    await waitUntil(async () => {
      const read = (await ada.call('GET', `/api/agents/${agent.svcId}`)).body.agent
      return read.agentStatus === 'retired' ? true : null
    })
    passTime()
    const again = await adopt(token)
    expect(again.status, JSON.stringify(again.body)).to.equal(201)
    expect(again.body.agent.svcId).not.to.equal(agent.svcId)
  })

  it('stays with its owner, whatever a node that is behind says of the token', async () => {
    const { agentId, token } = await foreign.register(holder)
    const { agent } = (await adopt(token)).body
    const ahead = 'UPDATE foreign_adoptions SET adopted_block = ? WHERE agent_id = ?'
    await scene.store(ahead, 1_000_000_000, agent.svcId)
    await foreign.transfer(holder, buyer.address, agentId)
    passTime()
    expect((await verify(token, buyer)).code).to.equal('CHAIN_UNAVAILABLE')
    const taken = await adopt(token, buyer, await scene.owner())
    expect([taken.status, taken.body.code]).to.deep.equal([503, 'CHAIN_UNAVAILABLE'])
    const read = (await ada.call('GET', `/api/agents/${agent.svcId}`)).body.agent
    expect(read.agentStatus).to.equal('active')
  })

  it('keeps to the boundary that its owner declared, and needs a signature of the owner', async () => {
    const { token } = await foreign.register(holder)
    await adopt(token)
    expect(seen(await verify(token, null))).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(seen(await verify(token, buyer))).to.deep.equal(['deny', 'none', 'agent.proof'])
    const outside = await verify(token, holder, { resource: '/stock/1' })
    expect(outside.recommendation).to.equal('deny')
    expect(seen(await verify(token, holder, { credentials: undefined, agentId: token }))).to.deep.equal([
      'grant',
      'signature',
    ])
  })

  it('is adopted by another account only with a signature for that account, in time, and once', async () => {
    const { token } = await foreign.register(holder)
    const eve = await scene.owner()
    const { message, expiresAt } = (await stating(token)).body
    const signature = await holder.signMessage({ message })
    const stolen = await eve.call('POST', '/api/agents/adopt', { body: { token, expiresAt, signature } })
    expect([stolen.status, stolen.body.errors?.[0]]).to.deep.include.members([400])
    expect(stolen.body.errors[0]).to.include({ pointer: '/signature', code: 'not_owner' })
    expect((await adopt(token, buyer)).body.errors[0]).to.include({ code: 'not_owner' })
    const late = await ada.call('POST', '/api/agents/adopt', {
      body: { token, expiresAt: seconds(), signature },
    })
    expect(late.body.errors[0]).to.include({ pointer: '/expiresAt', code: 'untimely' })
    expect(
      (await ada.call('POST', '/api/agents/adopt', { body: { token, expiresAt, signature } })).status,
    ).to.equal(201)
    expect((await adopt(token)).body.errors[0]).to.include({ pointer: '/token', code: 'adopted' })
  })

  it('is adopted for an organisation by a member who may change its agents', async () => {
    const { token } = await foreign.register(holder)
    const organizationId = await ada.organizationWith([])
    const { message, expiresAt } = (await stating(token, ada, { organizationId })).body
    const body = { token, organizationId, expiresAt, signature: await holder.signMessage({ message }) }
    const adopted = await ada.call('POST', '/api/agents/adopt', { body })
    expect(adopted.body.agent?.ownerIdentifier).to.equal(organizationId)
    const eve = await scene.owner()
    expect((await stating(token, eve, { organizationId })).body.code).to.equal('FORBIDDEN')
  })

  it('gets a key at once that is proven for its token, from an agent of another owner that only named it', async () => {
    const eve = await scene.owner()
    const [key, occupier] = [createAgentKey(), await eve.agent({ keys: [] })]
    const path = `/api/agents/${occupier}/keys`
    const headers = { 'x-svc-elevation': await eve.elevation() }
    await eve.call('POST', path, { body: { key: key.jwk }, headers })
    const { token } = await foreign.register(holder)
    const iat = seconds()
    const proveFor = (iss: string) =>
      signIntent(key, { iss, aud: scene.appUrl, iat, exp: iat + 300 }, { typ: 'svc-key-proof+jwt' })
    const keys = [key.jwk]
    expect((await adopt(token, holder, ada, { keys })).body.code).to.equal('KEY_TAKEN')
    const wrong = await adopt(token, holder, ada, { keys, keyProofs: [proveFor(`${token}0`)] })
    expect(wrong.body.errors[0]).to.include({ pointer: '/keyProofs/0', code: 'invalid_proof' })
    const adopted = await adopt(token, holder, ada, { keys, keyProofs: [proveFor(token)] })
    expect(adopted.status, JSON.stringify(adopted.body)).to.equal(201)
    const [own] = (await ada.call('GET', `/api/agents/${adopted.body.agent.svcId}/keys`)).body.items
    expect([own.status, typeof own.provenAt]).to.deep.equal(['active', 'string'])
    const [lost] = (await eve.call('GET', path)).body.items
    expect(lost.status).to.equal('revoked')
  })

  it('cannot be separated from its token, but is adopted again once it is retired', async () => {
    const { token } = await foreign.register(holder)
    const { agent } = (await adopt(token)).body
    const path = `/api/agents/${agent.svcId}/credentials`
    const [credential] = (await ada.call('GET', path)).body.items
    expect(credential).to.include({ type: 'erc8004', subject: token })
    const removed = await ada.call('DELETE', `${path}/${credential.id}`)
    expect(removed.body.code).to.equal('INVALID_STATE')
    await ada.call('POST', `/api/agents/${agent.svcId}/retire`)
    expect(seen(await verify(token, holder))).to.include('agent.status')
    expect((await adopt(token)).status).to.equal(201)
    expect(seen(await verify(token, holder))).to.deep.equal(['grant', 'signature'])
  })

  it('that nobody adopted is decided by its proof, its trust score and the endpoint', async () => {
    const { token, file } = await foreign.register(holder)
    expect(seen(await verify(token, null))).to.deep.equal(['deny', 'none', 'agent.proof'])
    const body = await verify(token, holder)
    expect(seen(body)).to.deep.equal(['grant', 'signature'])
    expect(body.agent).to.include({ name: file.name, agentStatus: 'active', blockchainStatus: 'verified' })
    expect(body.access.accessLevel).to.equal('standard')
    const inactive = await foreign.register(holder, { active: false })
    expect(seen(await verify(inactive.token, holder))).to.include('agent.status')
  })

  it('gets at most five points from the ratings of the named reviewers, and none from others', async () => {
    const [plain, praised] = [await foreign.register(holder), await foreign.register(holder)]
    for (let i = 0; i < 3; i += 1) await foreign.rate(foreignAccount(8), plain.agentId, 100)
    for (let i = 0; i < 12; i += 1) await foreign.rate(reviewer, praised.agentId, 100)
    const scores = [await verify(plain.token, holder), await verify(praised.token, holder)].map(
      (body) => body.agent.trustScore as number,
    )
    expect((scores[1] ?? 0) - (scores[0] ?? 0)).to.be.within(3, 5)
    const { agent } = (await stating(praised.token)).body
    expect(agent.feedback).to.deep.equal({ count: 12, mean: 100 })
  })

  it('is unknown, for the stated reason, if its token or its file cannot be used', async () => {
    const unbound = await foreign.register(holder, { registrations: [] })
    const broken = await foreign.register(holder)
    foreign.setFile(broken.path, 'no JSON')
    const missing = await foreign.register(holder)
    foreign.setFile(missing.path, '', 404)
    const odd = await foreign.register(holder, {}, 'ipns://somewhere')
    const none = await foreign.register(holder, {}, '')
    for (const [token, code] of [
      [unbound.token, 'file_not_bound'],
      [broken.token, 'file_malformed'],
      [missing.token, 'file_unreachable'],
      [odd.token, 'uri_not_supported'],
      [none.token, 'no_token_uri'],
      [`${foreign.agentRegistry}/999999`, 'no_such_token'],
      [`eip155:1:${foreign.registry}/1`, 'registry_not_trusted'],
      ['agent 7', 'malformed'],
    ] as const) {
      const { status, body } = await stating(token)
      expect([status, body.errors?.[0]?.code], token).to.deep.equal([400, code])
      const answer = await verify(token, null)
      expect([answer.recommendation, answer.access.failures[0].dimension]).to.deep.equal([
        'deny',
        'agent.identity',
      ])
    }
  })

  it('is denied in the same words by a replay, although it is adopted, if its token cannot be read', async () => {
    const { token } = await foreign.register(holder)
    const { svcId } = (await adopt(token)).body.agent
    const gone = `${foreign.agentRegistry}/999999`
    await scene.service.rows('UPDATE agents SET foreign_name = ? WHERE svc_id = ?', gone, svcId)
    // Whatever changes the agent has it read again.
    for (const path of ['suspend', 'resume']) await ada.call('POST', `/api/agents/${svcId}/${path}`)
    const { access, auditRecordId } = await verify(token, null, { credentials: undefined, agentId: svcId })
    expect(access.failures).to.have.lengthOf(1)
    expect(access.failures[0]).to.include({ dimension: 'agent.identity' }).and.to.not.have.property('cause')
    const bearer = scene.shop.apiKey
    const { body } = await scene.call('POST', `/api/audit/records/${auditRecordId}/replay`, { bearer })
    expect([body.reproduced, body.replayed.access]).to.deep.equal([true, access])
  })

  it('may have its file in the token URI itself', async () => {
    const { file, agentId } = await foreign.register(holder)
    const registrations = [{ agentId: agentId + 1, agentRegistry: foreign.agentRegistry }]
    const text = JSON.stringify({ ...file, registrations, name: 'In the URI' })
    const uri = `data:application/json;base64,${Buffer.from(text).toString('base64')}`
    const { token } = await foreign.register(holder, {}, uri)
    expect((await stating(token)).body.agent).to.include({
      name: 'In the URI',
      owner: holder.address.toLowerCase(),
    })
  })
})
