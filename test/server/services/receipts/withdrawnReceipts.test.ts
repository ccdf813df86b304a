import { randomUUID } from 'node:crypto'
import { getListFromStatusListJWT, getStatusListFromJWT } from '@sd-jwt/jwt-status-list'
import { createIssuerKeys } from '@svc/client/receipts/createIssuerKeys.ts'
import { createStatusListCache } from '@svc/client/receipts/createStatusListCache.ts'
import { verifyReceipt } from '@svc/client/receipts/verifyReceipt.ts'
import { expect } from 'chai'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'

const LIST = '/.well-known/status/0'

describe('a withdrawn receipt', () => {
  let scene: ReceiptScene

  before(async () => {
    scene = await openReceipts()
  })
  after(() => scene?.service.stop())

  /** Reads the list with a library of others, a second later: withdrawals show by then. */
  const statusOf = async (receipt: string): Promise<number> => {
    scene.time.now += 1_000
    const { idx, uri } = getStatusListFromJWT(receipt)
    expect(uri).to.equal(scene.issuer + LIST)
    const token = await (await fetch(scene.baseUrl + LIST)).text()
    return getListFromStatusListJWT(token).getStatus(idx)
  }
  const change = (agentId: string, step: string) =>
    scene.agentOwner.call('POST', `/api/agents/${agentId}/${step}`, { body: {} })
  const grant = async (agentId: string, fields: object = {}, bearer?: string) => {
    const answer = await scene.ask({ agentId, sessionDuration: 3_600, ...fields }, {}, bearer)
    expect(answer.recommendation).to.equal('grant')
    return answer as { receipt: string; sessionId: string; auditRecordId: string }
  }
  const end = (
    sessionId: string,
    { bearer = scene.shop.apiKey, reason }: { bearer?: string; reason?: string } = {},
  ) => scene.call('POST', `/api/agents/verify-access/${sessionId}/end`, { bearer, body: { reason } })

  it('is on a list that anyone can verify and cache', async () => {
    const { receipt } = await grant(await scene.agentOwner.agent())
    expect(await statusOf(receipt)).to.equal(0)
    const response = await fetch(scene.baseUrl + LIST)
    expect(response.headers.get('content-type')).to.equal('application/statuslist+jwt')
    expect(response.headers.get('access-control-allow-origin')).to.equal('*')
    expect(response.headers.get('cache-control')).to.equal('public, max-age=5')
    const keys = createLocalJWKSet(await scene.readKeys())
    const expected = {
      issuer: scene.issuer,
      subject: scene.issuer + LIST,
      typ: 'statuslist+jwt',
      algorithms: ['EdDSA'],
    }
    const { payload } = await jwtVerify(await response.text(), keys, {
      ...expected,
      currentDate: new Date(scene.time.now),
    })
    expect(payload).to.include({ ttl: 30 }).and.to.have.nested.property('status_list.bits', 1)
    expect(Number(payload.exp) - Number(payload.iat)).to.equal(600)
    const again = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } }
    expect((await fetch(scene.baseUrl + LIST, again)).status).to.equal(304)
  })

  it('is on no list that no receipt refers to', async () => {
    for (const list of ['1', '99999', '01', '-1', 'x', '4294967296000']) {
      const { status, body } = await scene.call('GET', `/.well-known/status/${list}`)
      expect([status, body.code], list).to.deep.equal([404, 'NOT_FOUND'])
    }
  })

  it('is one of an agent that was suspended, also after it resumes; a new receipt is valid', async () => {
    const agentId = await scene.agentOwner.agent()
    const [{ receipt }, other] = [await grant(agentId), await grant(await scene.agentOwner.agent())]
    await change(agentId, 'suspend')
    expect([await statusOf(receipt), await statusOf(other.receipt)]).to.deep.equal([1, 0])
    await change(agentId, 'resume')
    expect(await statusOf(receipt)).to.equal(1)
    expect(await statusOf((await grant(agentId)).receipt)).to.equal(0)
  })

  it('is one of an agent that was retired, and of a sub-agent that is held with its parent', async () => {
    const parent = await scene.agentOwner.agent({
      pdlss: { selfInstantiation: { allowed: true, maxDepth: 1, maxSubAgents: 1, inheritPermissions: true } },
    })
    const child = await scene.agentOwner.agent({ pdlss: undefined, parentAgentId: parent })
    const { receipt } = await grant(child)
    await change(parent, 'suspend')
    expect(await statusOf(receipt)).to.equal(1)
    const retired = await scene.agentOwner.agent()
    const its = await grant(retired)
    await change(retired, 'retire')
    expect(await statusOf(its.receipt)).to.equal(1)
  })

  it('is one whose request was signed by a key that was revoked', async () => {
    const agentId = await scene.agentOwner.agent()
    const [first, second] = [await scene.addKey(agentId), await scene.addKey(agentId)]
    const [byFirst, bySecond] = [await grant(agentId, first.prove()), await grant(agentId, second.prove())]
    const claims = await scene.open(byFirst.receipt)
    expect(claims).to.deep.include({ identityProof: 'signature', cnf: { jkt: first.kid } })
    const revoked = await scene.revoke(scene.agentOwner, agentId, first.kid)
    expect(revoked.status).to.equal(200)
    expect([await statusOf(byFirst.receipt), await statusOf(bySecond.receipt)]).to.deep.equal([1, 0])
  })

  it('is one whose session the counterparty ended, once, with an event for both parties', async () => {
    const agentId = await scene.agentOwner.agent()
    const { receipt, sessionId, auditRecordId } = await grant(agentId)
    const ended = await end(sessionId, { reason: 'signed out' })
    expect(ended.status).to.equal(200)
    expect(await statusOf(receipt)).to.equal(1)
    const again = await end(sessionId, { reason: 'another' })
    expect(again.body).to.deep.equal(ended.body)
    for (const bearer of [scene.shop.apiKey, undefined]) {
      const query = `/api/activity?agent=${agentId}&eventType=counterparty.session_ended`
      const { items } = (await scene.agentOwner.call('GET', query, bearer === undefined ? {} : { bearer }))
        .body
      expect(items).to.have.length(1)
      expect(items[0].eventData).to.include({ sessionId, reason: 'signed out' })
      const { record } = (
        await scene.call('GET', `/api/audit/records/${items[0].id}`, { bearer: scene.shop.apiKey })
      ).body
      const entry = JSON.parse(Buffer.from(record.entry, 'base64').toString())
      expect(entry).to.deep.include({ subject: { endOf: auditRecordId } })
    }
  })

  it('is not one whose session somebody else, or a viewer, tries to end', async () => {
    const { receipt, sessionId } = await grant(await scene.agentOwner.agent())
    const stranger = await createOrganisation(scene.baseUrl)
    const refused = await end(sessionId, { bearer: stranger.apiKey })
    expect([refused.status, refused.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    const unknown = await end(randomUUID())
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    const boss = await scene.owner()
    const organizationId = await boss.organizationWith([[scene.agentOwner, 'viewer']])
    const keyOf = async (person: typeof boss, body: object) =>
      (await person.call('POST', '/api/api-keys', { body: { name: 'key', ...body } })).body.key as string
    const bossKey = await keyOf(boss, { organizationId })
    const own = await registerEndpoint(scene.baseUrl, bossKey)
    const theirs = await grant(await scene.agentOwner.agent(), { counterpartyId: own }, bossKey)
    const looking = await end(theirs.sessionId, { bearer: await keyOf(scene.agentOwner, {}) })
    expect([looking.status, looking.body.code]).to.deep.equal([403, 'FORBIDDEN'])
    expect(await statusOf(receipt)).to.equal(0)
  })

  it('cannot be one of a session that was not granted', async () => {
    const { sessionId } = await scene.ask({ resource: '/elsewhere' })
    const { status, body } = await end(sessionId)
    expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('is refused by the client within its bounds, and accepted until then', async () => {
    const agentId = await scene.agentOwner.agent()
    const { receipt } = await grant(agentId)
    const here = (url: string | URL | Request, init?: RequestInit) =>
      fetch(String(url).replace(scene.issuer, scene.baseUrl), init)
    const { issuer } = scene
    const keys = createIssuerKeys({ issuer, fetch: here as typeof fetch })
    const statusLists = createStatusListCache({ issuer, keys, fetch: here as typeof fetch })
    const reasonOf = async () =>
      (
        await verifyReceipt(receipt, {
          ...{ issuer, keys, statusLists, audience: scene.svceId },
          now: scene.time.now,
        })
      ).reason
    expect(await reasonOf()).to.equal(null)
    await change(agentId, 'suspend')
    scene.time.now += 120_001
    expect(await reasonOf()).to.equal('withdrawn')
  })
})
