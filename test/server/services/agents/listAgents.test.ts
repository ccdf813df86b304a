import { expect } from 'chai'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registeredAgent,
} from './openRegistry.ts'

describe('GET /api/agents', () => {
  let registry: Registry
  let owner: Person

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
  })
  after(() => registry.close())

  const get = (path: string, bearer?: string) => registry.call('GET', path, bearer ? { bearer } : {})

  it('lists the agents of the signed-in account in pages, newest first', async () => {
    const lister = await newPerson(registry)
    const own = newSigner()
    await registry.linkWallet(own.address, lister.userId)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push(await registeredAgent(registry, own, { name }))
    const first = (await get('/api/agents?limit=2', lister.bearer)).body
    expect(first.hasMore).to.equal(true)
    const rest = (await get(`/api/agents?limit=2&cursor=${first.nextCursor}`, lister.bearer)).body
    expect([rest.hasMore, rest.nextCursor]).to.deep.equal([false, null])
    const seen = [...first.items, ...rest.items].map((agent: { svcId: string }) => agent.svcId)
    expect(seen).to.deep.equal(ids.reverse())
    expect(first.items[0]).to.include.keys('pdlss', 'trustScore')
  })

  it('lists those of one organisation on request', async () => {
    const lister = await newPerson(registry)
    const own = newSigner()
    await registry.linkWallet(own.address, lister.userId)
    const personal = await registeredAgent(registry, own, { name: 'personal' })
    const shared = await registeredAgent(registry, own, { name: 'shared' })
    await registry.db.query('agents').where({ svc_id: shared }).update({ owner_id: lister.organizationId })
    const list = async (organizationId: string, bearer = lister.bearer) => {
      const { body } = await get(`/api/agents?organizationId=${organizationId}`, bearer)
      return body.items.map(({ svcId }: { svcId: string }) => svcId)
    }
    expect(await list(lister.organizationId)).to.deep.equal([shared])
    expect(await list(lister.organizationId, owner.bearer)).to.deep.equal([])
    expect((await get('/api/agents', lister.bearer)).body.items).to.have.length(2)
    expect(personal).not.to.equal(shared)
  })

  it('finds an own agent by part of its name or identifier', async () => {
    const lister = await newPerson(registry)
    const own = newSigner()
    await registry.linkWallet(own.address, lister.userId)
    const [desk = '', other = ''] = [
      await registeredAgent(registry, own, { name: 'Order desk' }),
      await registeredAgent(registry, own, { name: 'ORDERS & more' }),
      await registeredAgent(registry, own, { name: 'Travel' }),
    ]
    const found = async (search: string, bearer = lister.bearer) => {
      const answer = await get(`/api/agents?limit=10&search=${encodeURIComponent(search)}`, bearer)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return answer.body.items.map((agent: { svcId: string }) => agent.svcId)
    }
    expect(await found('order')).to.deep.equal([other, desk])
    expect(await found(' & MORE ')).to.deep.equal([other])
    expect(await found(desk)).to.deep.equal([desk])
    expect(await found(desk.slice(6, 20))).to.deep.equal([desk])
    expect(await found('_')).to.deep.equal([])
    expect(await found(desk, owner.bearer)).to.deep.equal([])
    const first = (await get('/api/agents?limit=1&search=order', lister.bearer)).body
    expect([first.items.length, first.hasMore]).to.deep.equal([1, true])
    const next = `/api/agents?limit=1&search=order&cursor=${first.nextCursor}`
    expect((await get(next, lister.bearer)).body.items[0].svcId).to.equal(desk)
    for (const wrong of ['', '%20', '%00', 'x'.repeat(201)]) {
      const refused = await get(`/api/agents?search=${wrong}`, lister.bearer)
      expect([refused.status, refused.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
  })

  it('finds an own agent by its key, its accounts and its transaction, only as a whole', async () => {
    const lister = await newPerson(registry)
    const own = newSigner()
    await registry.linkWallet(own.address, lister.userId)
    const svcId = await registeredAgent(registry, own, { name: 'Buyer' })
    await registeredAgent(registry, own, { name: 'Seller' })
    const { query } = registry.db
    const [holder, wallet] = [newSigner().address, newSigner().address]
    const kid = 'k_'.padEnd(43, 'Ab-9')
    const transaction = `0x${'c4'.repeat(32)}`
    await query('agents').where({ svc_id: svcId }).update({ chain_transaction: transaction })
    await query('agent_tokens').insert({
      ...{ svc_id: svcId, custody: 'owner', holder, wallet, uri: 'https://seen.io', seen_block: 1 },
    })
    const key = { id: 'key', agent_id: svcId, kid, jwk: '{}', name: null, created_at: 1, revoked_at: null }
    await query('agent_keys').insert(key)
    const found = async (search: string, bearer = lister.bearer) =>
      (await get(`/api/agents?search=${search}`, bearer)).body.items.map(({ name }: { name: string }) => name)
    for (const search of [
      holder,
      wallet.toLowerCase(),
      transaction,
      transaction.toUpperCase().replace('0X', '0x'),
      kid,
    ]) {
      expect(await found(search), search).to.deep.equal(['Buyer'])
      expect(await found(search, owner.bearer), search).to.deep.equal([])
      expect(await found(search.slice(0, -1)), search).to.deep.equal([])
    }
    expect(await found(own.address)).to.deep.equal(['Seller', 'Buyer'])
  })

  it('is available to sessions only', async () => {
    const byKey = await get('/api/agents', owner.personalKey)
    expect([byKey.status, byKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect((await get('/api/agents')).status).to.equal(401)
    const wrong = await get('/api/agents?limit=0', owner.bearer)
    expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
  })
})
