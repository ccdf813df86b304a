import { expect } from 'chai'
import { newPerson } from '../agents/openRegistry.ts'
import { type Endpoints, openEndpoints } from './openEndpoints.ts'

describe('registered endpoints', () => {
  let at: Endpoints

  before(async () => {
    at = await openEndpoints()
  })
  after(() => at.close())

  describe('GET /api/endpoints/:id', () => {
    it('shows routes and policy to the owner, by session and key, with either identifier', async () => {
      const { svceId, endpoint } = await at.registered()
      for (const bearer of [at.owner.bearer, at.owner.organizationKey, at.owner.personalKey]) {
        for (const id of [svceId, endpoint.id]) {
          expect((await at.get(`/${id}`, bearer)).body).to.deep.equal({ success: true, endpoint })
        }
      }
    })

    it('is a 404 for everyone else, as for an unknown endpoint', async () => {
      const { svceId } = await at.registered()
      for (const bearer of [at.stranger.bearer, at.stranger.organizationKey, at.stranger.personalKey]) {
        const { status, body } = await at.get(`/${svceId}`, bearer)
        const unknown = await at.get(`/SVCE-0000000000000000000000`, bearer)
        expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
        expect(body.message).to.equal(unknown.body.message)
      }
      expect((await at.get(`/${svceId}`)).status).to.equal(401)
    })
  })

  describe('GET /api/endpoints', () => {
    it('lists those of one organisation on request, and nothing of one that the caller is no member of', async () => {
      const lister = await newPerson(at.registry)
      const { id } = (await at.post(at.bodyOf(), lister.organizationKey)).body.endpoint
      const { organizationId: other } = (
        await at.registry.call('POST', '/api/organizations', {
          bearer: lister.bearer,
          body: { name: 'Other' },
        })
      ).body
      const list = async (organizationId: string, bearer = lister.bearer) => {
        const { body } = await at.get(`?organizationId=${organizationId}`, bearer)
        return body.items.map((one: { id: string }) => one.id)
      }
      expect(await list(lister.organizationId)).to.deep.equal([id])
      expect(await list(other)).to.deep.equal([])
      expect(await list(lister.organizationId, at.stranger.bearer)).to.deep.equal([])
    })

    it('lists the claimed endpoints in pages, newest first, and others on request', async () => {
      const lister = await newPerson(at.registry)
      const make = async () => (await at.post(at.bodyOf(), lister.organizationKey)).body.endpoint.id
      const ids = [await make(), await make(), await make()]
      const seenOnly = await at.discovered(lister.organizationId)
      await at.archive(ids[1])
      const list = async (query: string) => {
        const { body } = await at.get(`?${query}`, lister.bearer)
        return body.items.map(({ id }: { id: string }) => id)
      }
      expect(await list('')).to.deep.equal([ids[2], ids[0]])
      expect(await list('include=archived')).to.deep.equal([ids[2], ids[1], ids[0]])
      expect(await list('include=discovered,archived')).to.deep.equal([seenOnly.id, ids[2], ids[1], ids[0]])
      const first = (await at.get(`?limit=1`, lister.bearer)).body
      expect([first.items[0].id, first.hasMore]).to.deep.equal([ids[2], true])
      expect(await list(`limit=1&cursor=${first.nextCursor}`)).to.deep.equal([ids[0]])
      expect(await list('only=archived')).to.deep.equal([ids[1]])
      expect(await list('only=claimable')).to.deep.equal([seenOnly.id])
      expect((await at.get(`?include=all`, lister.bearer)).status).to.equal(400)
      expect((await at.get(`?only=all`, lister.bearer)).status).to.equal(400)
    })

    it('finds an own endpoint by part of its name, URL or identifier', async () => {
      const lister = await newPerson(at.registry)
      const make = async (fields: object) =>
        (await at.post({ ...at.bodyOf(), ...fields }, lister.organizationKey)).body.endpoint
      const shop = await make({ name: 'Shop of Ada' })
      const orders = await make({ name: 'Orders' })
      const seenOnly = await at.discovered(lister.organizationId)
      const found = async (search: string, filters = '', bearer = lister.bearer) => {
        const answer = await at.get(`?limit=10&search=${encodeURIComponent(search)}${filters}`, bearer)
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
        return answer.body.items.map(({ id }: { id: string }) => id)
      }
      expect(await found('OF ADA')).to.deep.equal([shop.id])
      expect(await found(orders.svceId)).to.deep.equal([orders.id])
      expect(await found(orders.id)).to.deep.equal([orders.id])
      expect(await found(new URL(shop.counterpartyUrl).host)).to.include(shop.id)
      expect(await found(seenOnly.id)).to.deep.equal([])
      expect(await found(seenOnly.id, '&only=claimable')).to.deep.equal([seenOnly.id])
      expect(await found(seenOnly.id, '&include=discovered')).to.deep.equal([seenOnly.id])
      expect(await found(orders.id, '', at.stranger.bearer)).to.deep.equal([])
      for (const wrong of ['', '%00', 'x'.repeat(201)]) {
        const refused = await at.get(`?search=${wrong}`, lister.bearer)
        expect([refused.status, refused.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it('is available to sessions only', async () => {
      const byKey = await at.get('', at.owner.organizationKey)
      expect([byKey.status, byKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    })
  })

  describe('PUT /api/endpoints/:id', () => {
    it('changes the given fields, by key and by session', async () => {
      const { svceId, endpoint } = await at.registered()
      at.registry.time.now += 1000
      const changes = { name: 'New', trustScoreRequirement: 70, unverifiedAgentPolicy: 'allow_partial' }
      const byKey = await at.put(svceId, changes)
      expect([byKey.status, byKey.body.endpoint]).to.deep.equal([
        200,
        { ...endpoint, ...changes, updatedAt: new Date(at.registry.time.now).toISOString() },
      ])
      const routes = [{ pattern: '/**', minAccessLevel: 'full', minIdentityProof: 'signature' }]
      const bySession = await at.put(endpoint.id, { routes }, at.owner.bearer)
      expect(bySession.body.endpoint.routes).to.deep.equal(routes)
      expect((await at.get(`/${svceId}`, at.owner.bearer)).body).to.deep.equal(bySession.body)
      expect(at.registry.changed.at(-1)).to.equal(endpoint.id)
    })

    it('records the changed fields, and nothing for a change without effect', async () => {
      const { svceId } = await at.registered()
      await at.put(svceId, { name: 'New', trustScoreRequirement: 40 })
      const record = (await at.registry.log()).at(-1)
      expect(record.event_type).to.equal('endpoint.updated')
      expect(record.event).to.deep.include({ svceId, endpointName: 'New', changed: ['name'] })
      const before = await at.registry.stored()
      expect((await at.put(svceId, { name: 'New' })).status).to.equal(200)
      expect(await at.registry.stored()).to.deep.equal(before)
    })

    it('does not allow a key, or a session without a fresh passkey, to change the boundary', async () => {
      const { svceId, endpoint } = await at.registered()
      const change = { name: 'New', pdlss: {} }
      const byKey = await at.put(svceId, change)
      expect([byKey.status, byKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
      const bySession = await at.put(svceId, change, at.owner.bearer)
      expect([bySession.status, bySession.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      expect((await at.get(`/${svceId}`, at.owner.bearer)).body.endpoint).to.deep.equal(endpoint)
    })

    it('is a 404 for everyone else and changes nothing', async () => {
      const { svceId, endpoint } = await at.registered()
      for (const bearer of [at.stranger.bearer, at.stranger.organizationKey]) {
        for (const change of [{ name: 'Mine' }, { pdlss: {} }]) {
          const { status, body } = await at.put(svceId, change, bearer)
          expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
        }
      }
      expect((await at.get(`/${svceId}`, at.owner.bearer)).body.endpoint).to.deep.equal(endpoint)
    })

    it('rejects invalid values and names them', async () => {
      const { svceId } = await at.registered()
      const { status, body } = await at.put(svceId, { trustScoreRequirement: -1, unverifiedAgentPolicy: 'x' })
      expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
      const pointers = body.errors.map((error: { pointer: string }) => error.pointer)
      expect(pointers).to.have.members(['/trustScoreRequirement', '/unverifiedAgentPolicy'])
    })
  })
})
