import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { signAsAgent, signIntent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('what an agent signs for the host of one account', () => {
  const key = createAgentKey()
  let scene: OwnerScene
  let agentId: string
  let thief: Organisation
  let host: string

  before(async () => {
    scene = await openOwnerScene()
    agentId = await (await scene.owner()).agent()
    await storeAgentKey(scene.service, agentId, key)
    thief = await createOrganisation(scene.baseUrl)
  })
  after(() => scene?.service.stop())
  beforeEach(() => {
    host = `${randomUUID()}.acme.io`
  })

  const register = (by: Organisation, counterpartyUrl: string, fields: object = {}) =>
    registerEndpoint(scene.baseUrl, by.apiKey, { counterpartyUrl, ...fields })
  const ownEndpoint = (fields: object = {}) => register(thief, `https://${randomUUID()}.acme.io`, fields)
  const change = (svceId: string, body: object, by = thief) =>
    scene.call('PUT', `/api/endpoints/${svceId}`, { bearer: by.apiKey, body })
  const seconds = () => Math.floor(scene.time.now / 1000)
  /** Proofs that the agent made for the merchant, which has not used them up. */
  const stolen = () => {
    const times = { iat: seconds(), exp: seconds() + 60, jti: randomUUID() }
    return [
      { callerMetadata: signAsAgent(key, { svcId: agentId, url: `https://${host}/a`, created: seconds() }) },
      { intentProof: signIntent(key, { iss: agentId, aud: `https://${host}`, ...times }) },
    ]
  }
  /** What the thief's account gets for each of them. */
  const present = async (at: object) => {
    const seen = []
    for (const proof of stolen()) {
      const request = { agentId, purpose: 'shopping:buy', resource: '/orders/1', jurisdiction: 'de' }
      const body = { ...request, ...at, ...proof }
      const answer = await scene.call('POST', '/api/agents/verify-access', { bearer: thief.apiKey, body })
      const { code, recommendation, identityProof } = answer.body
      seen.push(code ?? `${recommendation} ${identityProof}`)
    }
    return seen
  }
  const twice = (outcome: string) => [outcome, outcome]
  const rowsOnHost = async () => (await scene.store('SELECT id FROM endpoints WHERE host = ?', host)).length

  it('proves nothing at a URL on that host which another account names', async () => {
    await register(scene.shop, `https://${host}/api`)
    const elsewhere = { counterpartyUrl: `https://${host}/zz` }
    expect(await present(elsewhere)).to.deep.equal(twice('COUNTERPARTY_KEY_MISMATCH'))
    expect(await present({ ...elsewhere, dryRun: true })).to.deep.equal(twice('COUNTERPARTY_KEY_MISMATCH'))
    expect(await rowsOnHost()).to.equal(1)
  })

  it('proves nothing there any more once the host is claimed, if that account discovered it before', async () => {
    const elsewhere = { counterpartyUrl: `https://${host}/zz` }
    expect(await present(elsewhere)).to.deep.equal(twice('grant signature'))
    const [row] = await scene.store('SELECT id FROM endpoints WHERE host = ?', host)
    const byId = { counterpartyId: (row as { id: string }).id }
    expect(await present(byId)).to.deep.equal(twice('grant signature'))
    await register(scene.shop, `https://${host}/api`)
    for (const at of [elsewhere, byId])
      expect(await present(at)).to.deep.equal(twice('COUNTERPARTY_KEY_MISMATCH'))
  })

  it('cannot be made to prove something at an endpoint that states the host as its own', async () => {
    await register(scene.shop, `https://${host}/api`)
    const counterpartyId = await ownEndpoint()
    for (const authority of [host, `${host}:8443`]) {
      const { status, body } = await change(counterpartyId, { authorities: [authority] })
      expect([status, body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
      expect(body.message).to.contain(authority)
      const registering = {
        ...{ name: 'Thief', counterpartyUrl: `https://${randomUUID()}.acme.io` },
        authorities: [authority],
      }
      const options = { bearer: thief.apiKey, body: registering }
      expect((await scene.call('POST', '/api/endpoints', options)).body.code).to.equal('URL_ALREADY_CLAIMED')
    }
    // A name with the dot of the root is the same host.
    for (const authority of [`${host}.`, `${host}.:443`, `${host}..`, `.${host}`]) {
      const { status, body } = await change(counterpartyId, { authorities: [authority] })
      expect([status, body.code], authority).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
    expect(await present({ counterpartyId })).to.deep.equal(twice('deny none'))
    expect((await change(counterpartyId, { authorities: [`gate.${host}`] })).status).to.equal(200)
  })

  it('proves nothing at an endpoint that stated the host before its owner proved it', async () => {
    const counterpartyId = await ownEndpoint({ authorities: [host] })
    expect(await present({ counterpartyId })).to.deep.equal(twice('grant signature'))
    const svceId = await register(scene.shop, `https://${host}/api`)
    // A mere claim takes away nothing, or anyone could stop a gateway by registering its host.
    expect(await present({ counterpartyId })).to.deep.equal(twice('grant signature'))
    await scene.store(`UPDATE endpoints SET tier = 'domain_verified' WHERE svce_id = ?`, svceId)
    await change(svceId, { name: 'Proven' }, scene.shop)
    expect(await present({ counterpartyId })).to.deep.equal(twice('deny none'))
    expect((await change(counterpartyId, { name: 'Still open' })).status).to.equal(200)
  })
})
