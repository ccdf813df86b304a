import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const NOBODY = 'SVCD-0000000000000000000000'

describe('the allowlist of an endpoint', () => {
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let path: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())
  beforeEach(async () => {
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    path = `/api/endpoints/${svceId}/allowlist`
  })

  const add = (body: object, bearer = shop.apiKey) => api(service.baseUrl, 'POST', path, { bearer, body })
  const verify = async (agentId: string, fields: object = {}) =>
    (
      await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body: { agentId, counterpartyId: svceId, ...fields },
      })
    ).body
  const ownerOf = async (agentId: string): Promise<string> => {
    const sql = 'SELECT owner_id AS id FROM agents WHERE svc_id = ?'
    const [row] = await service.rows<{ id: string }>(sql, agentId)
    return row?.id ?? ''
  }

  it('admits only the agents of its owners from the first entry on, and everyone again without entries', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    const { status, body } = await add({ allowedOwnerIdentifier: NOBODY })
    expect(status).to.equal(201)
    expect((await verify(svcId)).access.failures[0].dimension).to.equal('counterparty.allowlist')
    await api(service.baseUrl, 'DELETE', `${path}/${body.entry.id}`, { bearer: shop.accessToken })
    expect((await verify(svcId)).recommendation).to.equal('grant')
  })

  it('restricts the purposes of an owner on it', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    await add({ allowedOwnerIdentifier: await ownerOf(svcId), allowedPurposes: ['read_data'] })
    expect((await verify(svcId, { purpose: 'read_data' })).recommendation).to.equal('grant')
    expect((await verify(svcId, { purpose: 'shopping' })).recommendation).to.equal('deny')
  })

  it('replaces the endpoint’s minimum score by that of the entry', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    const entry = await add({ allowedOwnerIdentifier: await ownerOf(svcId), minTrustScore: 100 })
    expect((await verify(svcId)).access.failures[0].dimension).to.equal('trust.score')
    await api(service.baseUrl, 'DELETE', `${path}/${entry.body.entry.id}`, { bearer: shop.apiKey })
    await add({ allowedOwnerIdentifier: await ownerOf(svcId), minTrustScore: 1 })
    expect((await verify(svcId)).recommendation).to.equal('grant')
  })

  it('is listed newest first, in pages, to its owner only', async () => {
    for (const minTrustScore of [1, 2, 3]) await add({ allowedOwnerIdentifier: NOBODY, minTrustScore })
    const list = (query: string, bearer = shop.apiKey) =>
      api(service.baseUrl, 'GET', path + query, { bearer })
    const first = (await list('?limit=2')).body
    expect(first.items.map((item: { minTrustScore: number }) => item.minTrustScore)).to.deep.equal([3, 2])
    const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).body
    expect(second.items[0]).to.include({ minTrustScore: 1, allowedOwnerIdentifier: NOBODY })
    expect(second.hasMore).to.equal(false)
    const stranger = await createOrganisation(service.baseUrl)
    expect((await list('', stranger.apiKey)).status).to.equal(404)
    expect((await list('?limit=0')).status).to.equal(400)
  })

  it('stores the same entry once, whatever the order of its purposes', async () => {
    const entry = {
      allowedOwnerIdentifier: NOBODY,
      minTrustScore: 5,
      allowedPurposes: ['shopping', 'support'],
    }
    const first = await add(entry)
    const again = await add({ ...entry, allowedPurposes: ['support', 'shopping', 'support'] })
    expect([first.status, again.status]).to.deep.equal([201, 200])
    expect(again.body.entry).to.deep.equal(first.body.entry)
    for (const other of [{ minTrustScore: 6 }, { allowedPurposes: ['shopping'] }, { allowedPurposes: [] }]) {
      expect((await add({ ...entry, ...other })).status).to.equal(201)
    }
    const listed = (await api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })).body.items
    expect(listed).to.have.length(4)
  })

  it('rejects an invalid entry, a stranger, and an unknown entry', async () => {
    expect((await add({ allowedOwnerIdentifier: 'SVC-1' })).body.errors[0].pointer).to.equal(
      '/allowedOwnerIdentifier',
    )
    expect((await add({ allowedOwnerIdentifier: NOBODY, minTrustScore: 101 })).status).to.equal(400)
    for (const purpose of ['shopping buy', 'ü', 'a.b.c']) {
      const refused = await add({
        allowedOwnerIdentifier: NOBODY,
        allowedPurposes: ['shopping.buy', purpose],
      })
      expect(refused.body.errors?.[0].pointer, purpose).to.equal('/allowedPurposes/1')
    }
    const stranger = await createOrganisation(service.baseUrl)
    expect((await add({ allowedOwnerIdentifier: NOBODY }, stranger.apiKey)).status).to.equal(404)
    const gone = await api(service.baseUrl, 'DELETE', `${path}/nothing`, { bearer: shop.apiKey })
    expect([gone.status, gone.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    expect((await api(service.baseUrl, 'POST', path, { body: {} })).status).to.equal(401)
  })

  it('records an event for the owner at each change', async () => {
    const { body } = await add({ allowedOwnerIdentifier: NOBODY })
    await api(service.baseUrl, 'DELETE', `${path}/${body.entry.id}`, { bearer: shop.apiKey })
    const { body: feed } = await api(service.baseUrl, 'GET', '/api/activity?limit=2', { bearer: shop.apiKey })
    expect(feed.items.map((event: { eventType: string }) => event.eventType)).to.deep.equal([
      'endpoint.allowlist_removed',
      'endpoint.allowlist_added',
    ])
  })
})
