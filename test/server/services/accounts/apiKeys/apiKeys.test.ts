import { sha256Hex } from '@svc/core/hash.ts'
import { isApiKey } from '@svc/core/ids/secrets.ts'
import { expect } from 'chai'
import { type HttpAnswer, type OpenAccounts, openAccounts } from '../openAccounts.ts'
import { join, type Person, register } from '../person.ts'

describe('API keys', () => {
  let accounts: OpenAccounts
  let ada: Person
  let bob: Person
  let organizationId: string
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())

  beforeEach(async () => {
    people += 1
    ada = await register(accounts, `ada${people}`)
    bob = await register(accounts, `bob${people}`)
    organizationId = await ada.createOrganization()
  })

  const use = (key: string) => accounts.call('GET', '/api/test/apiKey', { bearer: key })
  const member = (person: Person) => `/api/organizations/${organizationId}/members/${person.userId}`
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const REFUSED = [401, 'UNAUTHENTICATED']

  describe('creating', () => {
    it('returns 201 and the key, which authenticates its account', async () => {
      const { status, body } = await ada.call('POST', '/api/api-keys', { name: 'laptop' })
      expect(status).to.equal(201)
      expect(isApiKey(body.key)).to.equal(true)
      expect(body).to.deep.include({
        success: true,
        name: 'laptop',
        organizationId: null,
        userId: ada.userId,
      })
      expect(body.lastFour).to.equal(body.key.slice(-4))
      expect((await use(body.key)).body).to.deep.equal({
        kind: 'apiKey',
        keyId: body.id,
        userId: ada.userId,
        personId: ada.userId,
        developerId: ada.developerId,
        organizationId: null,
        actsFor: [ada.developerId, organizationId],
        writesFor: [ada.developerId, organizationId],
        suspendedOrganizations: [],
      })
    })

    it('stores the SHA-256 of the key and not the key', async () => {
      const { id, key } = await ada.createKey()
      const row = await accounts.db.query('api_keys').select().where({ id }).first()
      expect(row.key_hash).to.equal(sha256Hex(key))
      expect(JSON.stringify(row)).not.to.include(key)
    })

    it('counts for the creator of its organisation, whoever made it', async () => {
      await join(ada, bob, organizationId, 'admin')
      const personOf = async ({ key }: { key: string }) => (await use(key)).body.personId
      expect(await personOf(await bob.createKey(organizationId))).to.equal(ada.userId)
      expect(await personOf(await bob.createKey())).to.equal(bob.userId)
    })

    for (const [role, expected] of [
      ['admin', 201],
      ['member', 201],
      ['viewer', 403],
    ] as const) {
      it(`in an organisation as ${role}: ${expected}`, async () => {
        await join(ada, bob, organizationId, role)
        const { status, body } = await bob.call('POST', '/api/api-keys', { name: 'gateway', organizationId })
        expect(status).to.equal(expected)
        if (expected === 201) expect((await use(body.key)).body.organizationId).to.equal(organizationId)
      })
    }

    it('in an organisation that the caller has not joined or is suspended from is a 404', async () => {
      const create = () => bob.call('POST', '/api/api-keys', { name: 'gateway', organizationId })
      expect(outcome(await create())).to.deep.equal([404, 'NOT_FOUND'])
      const members = `/api/organizations/${organizationId}/members`
      await ada.call('POST', members, { email: bob.email, role: 'member' })
      expect(outcome(await create())).to.deep.equal([404, 'NOT_FOUND'])
      await bob.verifyEmail()
      await bob.call('PATCH', member(bob), { status: 'active' })
      await ada.call('PATCH', member(bob), { status: 'suspended' })
      expect(outcome(await create())).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('is limited to 100 active keys', async () => {
      const created = []
      for (let i = 0; i < 100; i++) created.push(await ada.createKey())
      const more = () => ada.call('POST', '/api/api-keys', { name: 'one more' })
      expect(outcome(await more())).to.deep.equal([409, 'INVALID_STATE'])
      await ada.call('DELETE', `/api/api-keys/${created[0]?.id}`)
      expect((await more()).status).to.equal(201)
    })

    for (const body of [{}, { name: '' }, { name: 'x'.repeat(201) }, { name: 'x', organizationId: 7 }]) {
      it(`is refused with the body ${JSON.stringify(body).slice(0, 40)}`, async () => {
        expect(outcome(await ada.call('POST', '/api/api-keys', body))).to.deep.equal([
          400,
          'VALIDATION_ERROR',
        ])
      })
    }
  })

  describe('listing', () => {
    it('shows the last four characters and never the key', async () => {
      const { id, key } = await ada.createKey(organizationId)
      const { body, text } = await ada.call('GET', '/api/api-keys')
      expect(body.items).to.deep.equal([
        {
          id,
          name: 'key',
          lastFour: key.slice(-4),
          organizationId,
          userId: ada.userId,
          createdAt: '2026-03-02T09:00:00.000Z',
        },
      ])
      expect(text).not.to.include(key).and.not.to.include(sha256Hex(key))
    })

    it('shows a manager the organisation’s keys, and a member only its own', async () => {
      await join(ada, bob, organizationId)
      const [adas, bobs] = [await ada.createKey(organizationId), await bob.createKey(organizationId)]
      const personal = await bob.createKey()
      const idsOf = async (person: Person) =>
        (await person.call('GET', '/api/api-keys')).body.items.map((item: { id: string }) => item.id)
      expect(await idsOf(ada)).to.have.members([adas.id, bobs.id])
      expect(await idsOf(bob)).to.have.members([bobs.id, personal.id])
    })

    it('shows those of one organisation on request, and never more than without it', async () => {
      await join(ada, bob, organizationId)
      const [adas, bobs] = [await ada.createKey(organizationId), await bob.createKey(organizationId)]
      await ada.createKey()
      await bob.createKey()
      const idsOf = async (person: Person) => {
        const { body } = await person.call('GET', `/api/api-keys?organizationId=${organizationId}`)
        return body.items.map((item: { id: string }) => item.id)
      }
      expect(await idsOf(ada)).to.have.members([adas.id, bobs.id])
      expect(await idsOf(bob)).to.have.members([bobs.id])
    })

    it('continues after the previous page', async () => {
      const ids = []
      for (let i = 0; i < 3; i++) ids.push((await ada.createKey()).id)
      const first = (await ada.call('GET', '/api/api-keys?limit=2')).body
      const second = (await ada.call('GET', `/api/api-keys?limit=2&cursor=${first.nextCursor}`)).body
      const listed = [...first.items, ...second.items].map((item: { id: string }) => item.id)
      expect(listed).to.have.members(ids)
      expect([first.hasMore, second.hasMore, second.nextCursor]).to.deep.equal([true, false, null])
    })

    it('refuses a bad page', async () => {
      expect(outcome(await ada.call('GET', '/api/api-keys?limit=0'))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })

  describe('revoking', () => {
    it('takes effect immediately even if the key was just used', async () => {
      const { id, key } = await ada.createKey()
      expect((await use(key)).status).to.equal(200)
      const revoked = await ada.call('DELETE', `/api/api-keys/${id}`)
      expect(revoked.body).to.deep.equal({ success: true, id, revokedAt: '2026-03-02T09:00:00.000Z' })
      expect(outcome(await use(key))).to.deep.equal(REFUSED)
      expect((await ada.call('GET', '/api/api-keys')).body.items).to.deep.equal([])
    })

    it('is explained only to whoever presents the whole key', async () => {
      const { id, key } = await ada.createKey()
      const unknown = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
      const before = (await use(unknown)).body.message
      await ada.call('DELETE', `/api/api-keys/${id}`)
      expect((await use(key)).body.message).to.equal('This API key has been revoked; make a new one.')
      expect((await use(unknown)).body.message)
        .to.equal(before)
        .and.to.equal('This service does not know this API key.')
    })

    it('is idempotent', async () => {
      const { id } = await ada.createKey()
      const first = await ada.call('DELETE', `/api/api-keys/${id}`)
      accounts.time.now += 1000
      expect((await ada.call('DELETE', `/api/api-keys/${id}`)).body).to.deep.equal(first.body)
      accounts.time.now -= 1000
    })

    it('is allowed to managers of the organisation only', async () => {
      await join(ada, bob, organizationId)
      const [adas, bobs] = [await ada.createKey(organizationId), await bob.createKey(organizationId)]
      const revoke = (by: Person, id: string) => by.call('DELETE', `/api/api-keys/${id}`)
      expect(outcome(await revoke(bob, adas.id))).to.deep.equal([404, 'NOT_FOUND'])
      expect((await use(adas.key)).status).to.equal(200)
      expect((await revoke(ada, bobs.id)).status).to.equal(200)
      expect(outcome(await use(bobs.key))).to.deep.equal(REFUSED)
    })

    it('does not affect another user’s personal key', async () => {
      const { id, key } = await bob.createKey()
      expect(outcome(await ada.call('DELETE', `/api/api-keys/${id}`))).to.deep.equal([404, 'NOT_FOUND'])
      expect((await use(key)).status).to.equal(200)
    })

    it('returns 404 for an invalid id', async () => {
      expect(outcome(await ada.call('DELETE', '/api/api-keys/none'))).to.deep.equal([404, 'NOT_FOUND'])
    })
  })

  describe('of a member', () => {
    it('are inactive while the member is suspended', async () => {
      await join(ada, bob, organizationId)
      const [personal, ofOrganization] = [await bob.createKey(), await bob.createKey(organizationId)]
      expect((await use(personal.key)).body.actsFor).to.deep.equal([bob.developerId, organizationId])
      await ada.call('PATCH', member(bob), { status: 'suspended' })
      expect(outcome(await use(ofOrganization.key))).to.deep.equal(REFUSED)
      expect((await use(personal.key)).body.actsFor).to.deep.equal([bob.developerId])
      await ada.call('PATCH', member(bob), { status: 'active' })
      expect((await use(ofOrganization.key)).status).to.equal(200)
    })

    it('are inactive while the member is a viewer', async () => {
      await join(ada, bob, organizationId)
      const { key } = await bob.createKey(organizationId)
      await ada.call('PATCH', member(bob), { role: 'viewer' })
      const refused = await use(key)
      expect(outcome(refused)).to.deep.equal(REFUSED)
      expect(refused.body.message).to.include('may not act for its organisation')
    })

    it('are revoked with the membership, even if the member returns', async () => {
      await join(ada, bob, organizationId)
      const { key } = await bob.createKey(organizationId)
      expect((await use(key)).status).to.equal(200)
      await ada.call('DELETE', member(bob))
      expect(outcome(await use(key))).to.deep.equal(REFUSED)
      await join(ada, bob, organizationId)
      expect(outcome(await use(key))).to.deep.equal(REFUSED)
    })
  })

  it('are resolved synchronously once cached', async () => {
    const { key } = await ada.createKey()
    await accounts.authenticators.apiKey(key)
    expect(accounts.authenticators.apiKey(key)).to.have.property('kind', 'apiKey')
  })

  for (const key of [`svc_live_${'0'.repeat(32)}`, 'svc_live_', `svc_live_${'0'.repeat(33)}`]) {
    it(`that do not exist are refused: ${key}`, async () => {
      expect(outcome(await use(key))).to.deep.equal(REFUSED)
    })
  }

  it('cannot be used where a session is required', async () => {
    const { id, key } = await ada.createKey()
    const attempts = [
      ['GET', '/api/me'],
      ['GET', '/api/organizations'],
      ['POST', '/api/organizations'],
      ['POST', `/api/organizations/${organizationId}/members`],
      ['PATCH', member(ada)],
      ['DELETE', member(ada)],
      ['POST', '/api/api-keys'],
      ['GET', '/api/api-keys'],
      ['DELETE', `/api/api-keys/${id}`],
    ] as const
    for (const [method, path] of attempts) {
      const answer = await accounts.call(method, path, { bearer: key })
      expect(outcome(answer), `${method} ${path}`).to.deep.equal([403, 'SESSION_REQUIRED'])
      expect(outcome(await accounts.call(method, path)), `${method} ${path}`).to.deep.equal(REFUSED)
    }
  })
})
