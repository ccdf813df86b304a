import { randomUUID } from 'node:crypto'
import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import { type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

describe('the lists of operators', () => {
  let scene: OperatorScene
  before(async () => {
    scene = await openOperatorScene()
  })
  after(() => scene?.service.stop())

  type Item = Record<string, unknown>
  const search = async (kind: string, term: string, more = ''): Promise<Item[]> =>
    (await scene.list(`${kind}?search=${encodeURIComponent(term)}${more}`)).items
  /** Reads a list to its end, in small pages. */
  async function readAll(path: string): Promise<Item[]> {
    const items: Item[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await scene.list(`${path}limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.items.length).to.be.at.most(2)
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return items
  }
  const intervention = () => ({ reason: REASON, decidedBy: scene.operator.user.developerId })

  describe('of accounts', () => {
    it('find one by its identifiers, its wallet, or the beginning of its address or name', async () => {
      const { user } = await scene.person()
      await scene.rows(`UPDATE users SET full_name = 'Ünal Zweig' WHERE id = ?`, user.id)
      const wallet = privateKeyToAccount(generatePrivateKey())
      const body = await buildSiweBody(scene.baseUrl, wallet)
      const other = (await scene.call('POST', '/api/auth/siwe', { body })).body.data.user
      const { developerId, email } = user
      for (const term of [
        developerId,
        user.id,
        email.slice(0, 12),
        email.slice(0, 12).toUpperCase(),
        'Ünal Z',
        'ÜnAL z',
      ]) {
        const found = await search('accounts', term)
        expect(
          found.map((one) => one.developerId),
          term,
        ).to.deep.equal([developerId])
      }
      const [byWallet] = await search('accounts', wallet.address)
      expect(byWallet).to.deep.include({ developerId: other.developerId, email: null, fullName: null })
      for (const term of ['Zweig', '%', '_', `${email}x`, 'SVCD-']) {
        expect(await search('accounts', term), term).to.deep.equal([])
      }
    })

    it('show what an operator needs to know, and the suspension with its reason', async () => {
      const { user } = await scene.person()
      const { developerId, email, fullName, createdAt } = user
      const shown = { developerId, email, fullName, role: 'user', kydStatus: 'none', createdAt, isOwn: false }
      const [before] = await search('accounts', developerId)
      expect(before).to.deep.equal({ ...shown, status: 'active', intervention: null })
      await scene.order(`accounts/${developerId}/suspend`)
      const [after] = await search('accounts', developerId)
      expect({ ...after, intervention: null }).to.deep.equal({
        ...{ ...shown, status: 'suspended', intervention: null },
      })
      expect(after?.intervention).to.include(intervention())
      const [own] = await search('accounts', scene.operator.user.developerId)
      expect(own).to.include({ isOwn: true, role: 'operator' })
    })

    it('are in pages, newest first, and filtered by status', async () => {
      const people = [await scene.person(), await scene.person(), await scene.person()]
      const ids = people.map(({ user }) => user.developerId)
      const idsOf = (items: Item[]) =>
        items.map(({ developerId }) => developerId).filter((id) => ids.includes(id))
      const [first] = ids
      await scene.order(`accounts/${first}/suspend`)
      expect(idsOf(await readAll('accounts?'))).to.deep.equal([...ids].reverse())
      expect(idsOf(await readAll('accounts?status=active&'))).to.deep.equal(ids.slice(1).reverse())
      const suspended = await readAll('accounts?status=suspended&')
      expect(idsOf(suspended)).to.deep.equal([first])
      expect(suspended.every(({ status }) => status === 'suspended')).to.equal(true)
      expect(await search('accounts', String(first), '&status=active')).to.deep.equal([])
      expect(await search('accounts', String(first), '&status=suspended')).to.have.length(1)
    })
  })

  describe('of organisations', () => {
    it('find one by its identifier or the beginning of its name, and show its suspension', async () => {
      const owner = await scene.person()
      const name = `Zweig ${randomUUID()}`
      await scene.rows('UPDATE organizations SET name = ? WHERE id = ?', name, owner.organizationId)
      const found = await search('organizations', name.slice(0, 20).toUpperCase())
      const { createdAt } = found[0] ?? {}
      const shown = {
        ...{ organizationId: owner.organizationId, name, createdBy: owner.user.developerId },
        ...{ memberCount: 1, createdAt, isOwn: false },
      }
      expect(found).to.deep.equal([{ ...shown, status: 'active', intervention: null }])
      await scene.order(`organizations/${owner.organizationId}/suspend`)
      const [after] = await search('organizations', owner.organizationId)
      expect(after).to.deep.include({ ...shown, status: 'suspended' })
      expect(after?.intervention).to.include(intervention())
      expect(await search('organizations', 'weig')).to.deep.equal([])
    })

    it('are in pages, newest first also among those of one millisecond, and filtered by status', async () => {
      const people = [await scene.person(), await scene.person(), await scene.person()]
      const ids = people.map(({ organizationId }) => organizationId)
      await scene.rows('UPDATE organizations SET created_at = 4102444800000 WHERE id IN (?, ?, ?)', ...ids)
      const [first] = ids
      await scene.order(`organizations/${first}/suspend`)
      const idsOf = (items: Item[]) => items.map(({ organizationId }) => String(organizationId))
      const newest = [...ids].sort().reverse()
      expect(idsOf(await readAll('organizations?')).slice(0, 3)).to.deep.equal(newest)
      expect(idsOf(await readAll('organizations?status=suspended&')))
        .to.include(first)
        .and.not.include(ids[1])
      expect(idsOf(await readAll('organizations?status=active&')))
        .to.include(ids[1])
        .and.not.include(first)
    })
  })

  describe('of endpoints', () => {
    it('find claimed ones by identifier, owner, URL, or the beginning of host or name', async () => {
      const owner = await scene.person()
      const host = `${randomUUID()}.acme.io`
      const counterpartyUrl = `https://${host}/api`
      const name = `Shop ${randomUUID()}`
      const svceId = await scene.endpointOf(owner.apiKey, { counterpartyUrl, name })
      await scene.verify(owner.personalKey, { counterpartyUrl: `https://${randomUUID()}.acme.io/` })
      const [found] = await search('endpoints', svceId)
      expect(found).to.deep.include({
        ...{ svceId, ownerId: owner.organizationId, name, counterpartyUrl, tier: 'self_asserted' },
        ...{ status: 'active', intervention: null, isOwn: false },
      })
      const terms = [
        ...[String(found?.id), owner.organizationId, host, host.slice(0, 10).toUpperCase()],
        ...[counterpartyUrl, `HTTPS://${host}:8443/other?x=1`, name.slice(0, 20)],
      ]
      for (const term of terms) {
        const ids = (await search('endpoints', term)).map((one) => one.svceId)
        expect(ids, term).to.deep.equal([svceId])
      }
      // Who discovered something does not own it.
      expect(await search('endpoints', owner.user.developerId)).to.deep.equal([])
    })

    it('are in pages, newest first, filtered by status, and show why one was released', async () => {
      const owner = await scene.person()
      const ids: string[] = []
      for (let nth = 0; nth < 4; nth += 1) ids.push(await scene.endpointOf(owner.apiKey))
      const bearer = owner.accessToken
      await scene.call('POST', `/api/endpoints/${ids[1]}/deactivate`, { bearer, body: {} })
      await scene.order(`endpoints/${ids[2]}/release`)
      const idsOf = (items: Item[]) =>
        items.map(({ svceId }) => String(svceId)).filter((id) => ids.includes(id))
      expect(idsOf(await readAll('endpoints?'))).to.deep.equal([...ids].reverse())
      expect(idsOf(await readAll('endpoints?status=active&'))).to.deep.equal([ids[3], ids[0]])
      expect(idsOf(await readAll('endpoints?status=deactivated&'))).to.deep.equal([ids[1]])
      const archived = await readAll('endpoints?status=archived&')
      expect(idsOf(archived)).to.deep.equal([ids[2]])
      const released = archived.find(({ svceId }) => svceId === ids[2])
      expect(released?.intervention).to.deep.include({ reason: REASON })
    })
  })

  describe('of platforms', () => {
    it('hold every platform of the file, in pages, with its provisional agent', async () => {
      const all = await readAll('platforms?')
      expect(all.map(({ id }) => id)).to.deep.equal(bundledPlatforms.platforms.map(({ id }) => id))
      expect(all[0]).to.include({ status: 'recognised', intervention: null })
      expect(all[0]?.svcId).to.match(/^SVC-/)
    })

    it('find one by part of its name, operator or identifier, and show its withdrawal', async () => {
      await scene.order('platforms/openai/withdraw')
      const ids = async (term: string, more = '') =>
        (await search('platforms', term, more)).map(({ id }) => id)
      expect(await ids('OPENAI')).to.deep.equal(['openai', 'chatgpt-agent'])
      expect(await ids('OPENAI', '&status=withdrawn')).to.deep.equal(['openai'])
      expect(await ids('OPENAI', '&status=recognised')).to.deep.equal(['chatgpt-agent'])
      const [withdrawn] = await search('platforms', 'openai', '&status=withdrawn')
      expect(withdrawn?.intervention).to.deep.include({ reason: REASON })
      // Pages do not shift when an item leaves the filtered list.
      const [first, second, third] = await readAll('platforms?status=recognised&')
      const page = await scene.list('platforms?status=recognised&limit=2')
      await scene.order(`platforms/${first?.id}/withdraw`)
      const next = await scene.list(`platforms?status=recognised&limit=2&cursor=${page.nextCursor}`)
      expect([page.items[1].id, next.items[0].id]).to.deep.equal([second?.id, third?.id])
    })
  })

  for (const kind of ['accounts', 'organizations', 'endpoints', 'platforms']) {
    it(`refuse an invalid query: ${kind}`, async () => {
      for (const query of ['status=none', 'search=', 'search=%00', 'cursor=x', 'limit=101']) {
        const refused = await scene.call('GET', `/api/admin/${kind}?${query}`, {
          bearer: scene.operator.bearer,
        })
        expect(outcomeOf(refused), query).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it(`are for operators only: ${kind}`, async () => {
      const { accessToken } = await scene.person()
      const refused = await scene.call('GET', `/api/admin/${kind}`, { bearer: accessToken })
      expect(outcomeOf(refused)).to.deep.equal([403, 'FORBIDDEN'])
    })
  }
})
