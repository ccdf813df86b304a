import { expect } from 'chai'
import { mailsTo } from '../mailsTo.ts'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts } from '../openAccounts.ts'
import { join, PASSWORD, type Person, register } from '../person.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('an invitation', () => {
  let accounts: OpenAccounts
  let owner: Person
  let organizationId: string
  let address: string
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    owner = await register(accounts, `owner${people}`)
    organizationId = await owner.createOrganization()
    address = `guest${people}@example.org`
    accounts.changed.length = 0
  })

  const members = () => `/api/organizations/${organizationId}/members`
  const invite = (email = address, role = 'member', by = owner) => by.call('POST', members(), { email, role })
  const accept = (person: Person, token: unknown) => person.call('POST', '/api/invitations/accept', { token })
  const lastToken = async () => (await mailsTo(accounts, address, 'invitation')).at(-1)?.token
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const listed = async (person: Person, query = '') => (await person.call('GET', `${members()}${query}`)).body
  const organizations = async (person: Person) => (await person.call('GET', '/api/organizations')).body.items
  const guest = () => register(accounts, `guest${people}`)

  it('gets the same response whether or not the address has an account, and is mailed in both cases', async () => {
    const known = await register(accounts, `known${people}`)
    const answers = [await invite(known.email), await invite()]
    const shapes = answers.map(({ status, body }) => {
      const { id, email, ...rest } = body.member
      expect(id).to.match(/^[0-9a-f-]{36}$/)
      expect([known.email, address]).to.include(email)
      return [status, rest]
    })
    expect(shapes[0]).to.deep.equal(shapes[1])
    expect(shapes[0]).to.deep.equal([
      201,
      {
        userId: null,
        fullName: null,
        role: 'member',
        status: 'invited',
        createdAt: '2026-03-02T09:00:00.000Z',
      },
    ])
    for (const email of [known.email, address]) {
      const [mail] = await mailsTo(accounts, email, 'invitation')
      expect(mail?.link).to.equal(`${APP_URL}/invitations/${mail?.token}`)
    }
  })

  it('can be accepted with its token after signing up with the address, which the token verifies', async () => {
    await invite(address, 'admin')
    const person = await guest()
    const { status, body } = await accept(person, await lastToken())
    expect(status).to.equal(200)
    expect(body.organization).to.include({ organizationId, role: 'admin', status: 'active' })
    expect(accounts.changed).to.deep.equal([person.userId])
    const me = (await person.call('GET', '/api/me')).body
    expect(me.user.isEmailVerified).to.equal(true)
    const caller = await accounts.call('GET', '/api/test/session', { bearer: person.accessToken })
    expect(caller.body.actsFor).to.include(organizationId)
  })

  it('appears in the list of an account with the verified address, and can be accepted there', async () => {
    await invite()
    const person = await guest()
    const own = `${members()}/${person.userId}`
    expect(await organizations(person)).to.deep.equal([])
    expect(outcome(await person.call('PATCH', own, { status: 'active' }))).to.deep.equal([404, 'NOT_FOUND'])
    expect(outcome(await person.call('DELETE', own))).to.deep.equal([404, 'NOT_FOUND'])
    await person.verifyEmail()
    expect((await organizations(person)).map(({ status }: { status: string }) => status)).to.deep.equal([
      'invited',
    ])
    const { body } = await person.call('PATCH', own, { status: 'active' })
    expect(body.member).to.include({ id: person.userId, userId: person.userId, status: 'active' })
  })

  it('says before it is accepted what it offers, who offers it, and whether it is for the caller', async () => {
    await invite(address, 'viewer')
    const token = await lastToken()
    const read = (person: Person) => person.call('GET', `/api/invitations/${token}`)
    const person = await guest()
    const { body } = await read(person)
    const offer = {
      organizationName: `owner${people}'s`,
      role: 'viewer',
      invitedBy: `The person owner${people}`,
      isForCaller: true,
      expiresAt: '2026-03-09T09:00:00.000Z',
    }
    expect(body.invitation).to.deep.equal(offer)
    const stranger = (await read(await register(accounts, `stranger${people}`))).body
    expect(stranger.invitation).to.deep.equal({ ...offer, isForCaller: false })
    await accept(person, token)
    expect(outcome(await read(person))).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('can be accepted once', async () => {
    await invite()
    const person = await guest()
    const token = await lastToken()
    const answers = await Promise.all([accept(person, token), accept(person, token)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
    expect(outcome(await accept(person, token))).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('cannot be accepted by another holder of the token', async () => {
    await invite()
    const other = await register(accounts, `other${people}`)
    expect(outcome(await accept(other, await lastToken()))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('expires after seven days and then disappears from the lists', async () => {
    await invite()
    const token = await lastToken()
    accounts.time.now += 7 * DAY_MS
    const person = await guest()
    await person.verifyEmail()
    expect(outcome(await accept(person, token))).to.deep.equal([400, 'INVALID_TOKEN'])
    expect(await organizations(person)).to.deep.equal([])
    const login = { email: owner.email, password: PASSWORD }
    const bearer = (await accounts.call('POST', '/api/auth/login', { body: login })).body.data.accessToken
    expect((await accounts.call('GET', members(), { bearer })).body.items).to.have.length(1)
  })

  it('replaces the previous one and its role', async () => {
    await invite(address, 'viewer')
    const first = await lastToken()
    await invite(address, 'member')
    const person = await guest()
    expect(outcome(await accept(person, first))).to.deep.equal([400, 'INVALID_TOKEN'])
    expect((await accept(person, await lastToken())).body.organization.role).to.equal('member')
  })

  it('can be withdrawn by managers of the organisation', async () => {
    const { id } = (await invite()).body.member
    expect((await owner.call('DELETE', `${members()}/${id}`)).status).to.equal(200)
    expect(outcome(await accept(await guest(), await lastToken()))).to.deep.equal([400, 'INVALID_TOKEN'])
    expect(outcome(await owner.call('DELETE', `${members()}/${id}`))).to.deep.equal([404, 'NOT_FOUND'])
  })

  describe('made by an admin', () => {
    let admin: Person

    beforeEach(async () => {
      admin = await register(accounts, `admin${people}`)
      await join(owner, admin, organizationId, 'admin')
      expect((await invite(address, 'member', admin)).status).to.equal(201)
    })

    const own = () => `${members()}/${admin.userId}`
    const isGood = async () => (await accept(await guest(), await lastToken())).status === 200
    const invited = async () =>
      (await listed(owner)).items.filter(({ status }: { status: string }) => status === 'invited').length

    for (const [what, end] of [
      ['is removed', () => owner.call('DELETE', own())],
      ['leaves', () => admin.call('DELETE', own())],
      ['is suspended', () => owner.call('PATCH', own(), { status: 'suspended' })],
      ['becomes a member', () => owner.call('PATCH', own(), { role: 'member' })],
    ] as const) {
      it(`ends when the admin ${what}`, async () => {
        expect((await end()).status).to.equal(200)
        expect([await invited(), await isGood()]).to.deep.equal([0, false])
      })
    }

    it('then disappears from the lists of the invited', async () => {
      const person = await guest()
      await person.verifyEmail()
      await owner.call('DELETE', own())
      expect(await organizations(person)).to.deep.equal([])
      const path = `${members()}/${person.userId}`
      expect(outcome(await person.call('PATCH', path, { status: 'active' }))).to.deep.equal([
        404,
        'NOT_FOUND',
      ])
    })

    it('stays if the admin becomes an owner, or another member leaves', async () => {
      const other = await register(accounts, `another${people}`)
      await join(owner, other, organizationId, 'admin')
      await owner.call('DELETE', `${members()}/${other.userId}`)
      expect((await owner.call('PATCH', own(), { role: 'owner' })).status).to.equal(200)
      expect(await isGood()).to.equal(true)
    })

    it('stays if an owner has changed its role or renewed it', async () => {
      const items = (await listed(owner)).items
      const { id } = items.find(({ status }: { status: string }) => status === 'invited')
      expect((await owner.call('PATCH', `${members()}/${id}`, { role: 'viewer' })).status).to.equal(200)
      await owner.call('DELETE', own())
      expect(await isGood()).to.equal(true)
    })

    it('does not affect those into other organisations', async () => {
      const theirs = await admin.createOrganization()
      const path = `/api/organizations/${theirs}/members`
      await admin.call('POST', path, { email: address, role: 'member' })
      await owner.call('DELETE', own())
      expect(await isGood()).to.equal(true)
    })
  })

  it('made by an owner who becomes an admin ends for roles that only owners assign', async () => {
    const second = await register(accounts, `second${people}`)
    await join(owner, second, organizationId, 'owner')
    await invite(address, 'admin', second)
    await invite(`member.${address}`, 'member', second)
    await owner.call('PATCH', `${members()}/${second.userId}`, { role: 'admin' })
    const waiting = (await listed(owner)).items.filter(
      ({ status }: { status: string }) => status === 'invited',
    )
    expect(waiting.map(({ email }: { email: string }) => email)).to.deep.equal([`member.${address}`])
  })

  it('is mailed to an address five times a day; further requests get the same response', async () => {
    for (let nth = 0; nth < 6; nth += 1) expect((await invite()).status).to.equal(201)
    expect(await mailsTo(accounts, address, 'invitation')).to.have.length(5)
  })

  it('is refused for a member whose address the caller can see', async () => {
    const person = await guest()
    await join(owner, person, organizationId)
    expect(outcome(await invite(person.email))).to.deep.equal([409, 'INVALID_STATE'])
  })

  for (const token of ['unknown', undefined, 7]) {
    it(`is not accepted by ${token}`, async () => {
      const code = token === 'unknown' ? 'INVALID_TOKEN' : 'VALIDATION_ERROR'
      expect(outcome(await accept(owner, token))).to.deep.equal([400, code])
    })
  }

  it('is stored without its token', async () => {
    await invite()
    const rows = await accounts.db.query('invitations').select().where({ email: address })
    expect(JSON.stringify(rows)).not.to.include(await lastToken())
  })

  describe('and the list of members', () => {
    it('names members and, for managers, invited addresses', async () => {
      const viewer = await register(accounts, `viewer${people}`)
      await join(owner, viewer, organizationId, 'viewer')
      accounts.time.now += 1000
      await invite()
      const rows = (items: { email: string; role: string; status: string }[]) =>
        items.map(({ email, role, status }) => [email, role, status])
      const both = [
        [owner.email, 'owner', 'active'],
        [viewer.email, 'viewer', 'active'],
      ]
      expect(rows((await listed(owner)).items)).to.have.deep.members([
        [address, 'member', 'invited'],
        ...both,
      ])
      expect(rows((await listed(viewer)).items)).to.have.deep.members(both)
    })

    it('is paged, newest first', async () => {
      for (const nth of [1, 2]) {
        accounts.time.now += 1000
        await invite(`page${people}.${nth}@example.org`)
      }
      const first = await listed(owner, '?limit=2')
      expect(first.items.map(({ email }: { email: string }) => email)).to.deep.equal([
        `page${people}.2@example.org`,
        `page${people}.1@example.org`,
      ])
      const rest = await listed(owner, `?limit=2&cursor=${first.nextCursor}`)
      expect([rest.items.length, rest.hasMore]).to.deep.equal([1, false])
    })

    it('is visible to active members only', async () => {
      const person = await guest()
      await join(owner, person, organizationId)
      await owner.call('PATCH', `${members()}/${person.userId}`, { status: 'suspended' })
      const stranger = await register(accounts, `stranger${people}`)
      for (const by of [person, stranger]) {
        expect(outcome(await by.call('GET', members()))).to.deep.equal([404, 'NOT_FOUND'])
      }
    })
  })

  it('revokes the keys of a suspended or removed member immediately', async () => {
    const person = await guest()
    await join(owner, person, organizationId)
    const { key } = await person.createKey(organizationId)
    const use = async () => (await accounts.call('GET', '/api/test/apiKey', { bearer: key })).status
    expect(await use()).to.equal(200)
    const own = `${members()}/${person.userId}`
    await owner.call('PATCH', own, { status: 'suspended' })
    expect(await use()).to.equal(401)
    await owner.call('PATCH', own, { status: 'active' })
    expect(await use()).to.equal(200)
    await owner.call('DELETE', own)
    expect(await use()).to.equal(401)
  })
})
