import { isOrganizationIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import { type HttpAnswer, type OpenAccounts, openAccounts } from '../openAccounts.ts'
import { join, type Person, register } from '../person.ts'

describe('organisations', () => {
  let accounts: OpenAccounts
  let owner: Person
  let admin: Person
  let member: Person
  let viewer: Person
  let invited: Person
  let stranger: Person
  let organizationId: string
  let invitationId: string

  before(async () => {
    accounts = await openAccounts()
    owner = await register(accounts, 'owner')
    admin = await register(accounts, 'admin')
    member = await register(accounts, 'member')
    viewer = await register(accounts, 'viewer')
    invited = await register(accounts, 'invited')
    stranger = await register(accounts, 'stranger')
    await invited.verifyEmail()
  })
  after(() => accounts.close())

  beforeEach(async () => {
    organizationId = await owner.createOrganization()
    await join(owner, admin, organizationId, 'admin')
    await join(owner, member, organizationId, 'member')
    await join(owner, viewer, organizationId, 'viewer')
    invitationId = (await invite(owner, invited)).body.member.id
  })

  /** The list names an invited address by its invitation, but its owner sees the organisation itself. */
  const pathOf = (person?: Person, by?: Person) => {
    const id = person === invited && by !== invited ? invitationId : person?.userId
    return `/api/organizations/${organizationId}/members${id === undefined ? '' : `/${id}`}`
  }
  const invite = (by: Person, guest: Person, role = 'member') =>
    by.call('POST', pathOf(), { email: guest.email, role })
  const change = (by: Person, who: Person, body: object) => by.call('PATCH', pathOf(who, by), body)
  const remove = (by: Person, who: Person) => by.call('DELETE', pathOf(who, by))
  const actsFor = async (person: Person) => {
    const options = { bearer: person.accessToken }
    return (await accounts.call('GET', '/api/test/session', options)).body.actsFor as string[]
  }
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  it('have their creator as owner', async () => {
    const { status, body } = await stranger.call('POST', '/api/organizations', { name: 'Analytical Engines' })
    expect(status).to.equal(201)
    expect(isOrganizationIdentifier(body.organizationId)).to.equal(true)
    expect(body.organization).to.deep.equal({
      organizationId: body.organizationId,
      name: 'Analytical Engines',
      isSuspended: false,
      role: 'owner',
      status: 'active',
      createdAt: '2026-03-02T09:00:00.000Z',
    })
    expect(await actsFor(stranger)).to.include(body.organizationId)
    expect((await stranger.call('GET', '/api/me')).body.organizations).to.deep.include(body.organization)
  })

  it('are listed with the caller’s role and status, in pages', async () => {
    const person = await register(accounts, 'lister')
    await person.verifyEmail()
    const created = [await person.createOrganization(), await person.createOrganization()]
    await owner.call('POST', pathOf(), { email: person.email, role: 'viewer' })
    const pages: HttpAnswer[] = []
    for (let query: string | null = '?limit=2'; query !== null; ) {
      const page = await person.call('GET', `/api/organizations${query}`)
      pages.push(page)
      query = page.body.nextCursor === null ? null : `?limit=2&cursor=${page.body.nextCursor}`
    }
    expect(pages.map(({ body }) => [body.items.length, body.hasMore])).to.deep.equal([
      [2, true],
      [1, false],
    ])
    const listed = pages.flatMap(({ body }) => body.items)
    expect(listed.map((item) => item.organizationId)).to.have.members([...created, organizationId])
    const joined = listed.find((item) => item.organizationId === organizationId)
    expect([joined.role, joined.status]).to.deep.equal(['viewer', 'invited'])
  })

  it('are limited to 100 per account, and its credentials name them all', async () => {
    const person = await register(accounts, 'founder')
    await person.verifyEmail()
    for (let i = 0; i < 100; i++) await person.createOrganization()
    expect(outcome(await person.call('POST', '/api/organizations', { name: 'one more' }))).to.deep.equal([
      409,
      'INVALID_STATE',
    ])
    await invite(owner, person)
    expect(outcome(await change(person, person, { status: 'active' }))).to.deep.equal([409, 'INVALID_STATE'])
    expect(await actsFor(person)).to.have.length(101)
  })

  it('are limited to 100 per account even when a suspended member returns', async () => {
    const person = await register(accounts, 'returner')
    await join(owner, person, organizationId)
    await change(owner, person, { status: 'suspended' })
    for (let i = 0; i < 100; i++) await person.createOrganization()
    expect(outcome(await change(owner, person, { status: 'active' }))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await change(owner, person, { role: 'viewer' })).status).to.equal(200)
    expect(await actsFor(person)).to.have.length(101)
  })

  describe('invitations', () => {
    it('grant no access before they are accepted', async () => {
      expect(await actsFor(invited)).not.to.include(organizationId)
      const accepted = await change(invited, invited, { status: 'active' })
      expect(accepted.body.member).to.deep.include({
        userId: invited.userId,
        role: 'member',
        status: 'active',
      })
      expect(await actsFor(invited)).to.include(organizationId)
    })

    it('cannot be accepted by another account', async () => {
      for (const by of [owner, admin]) {
        expect(outcome(await change(by, invited, { status: 'active' }))).to.deep.equal([409, 'INVALID_STATE'])
      }
    })

    it('are accepted with the offered role', async () => {
      expect(outcome(await change(invited, invited, { status: 'active', role: 'owner' }))).to.deep.equal([
        404,
        'NOT_FOUND',
      ])
    })

    it('can be declined by leaving', async () => {
      expect((await remove(invited, invited)).status).to.equal(200)
      expect(outcome(await change(invited, invited, { status: 'active' }))).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('are a 409 for an existing member', async () => {
      expect(outcome(await invite(owner, member))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('can be replaced only by those who may withdraw them', async () => {
      await invite(owner, invited, 'owner')
      expect(outcome(await invite(admin, invited, 'viewer'))).to.deep.equal([403, 'FORBIDDEN'])
      await change(invited, invited, { status: 'active' })
      const { items } = (await owner.call('GET', pathOf())).body
      const roles = items.map((item: { userId: string; role: string }) => [item.userId, item.role])
      expect(roles).to.deep.include([invited.userId, 'owner'])
    })

    for (const body of [{}, { email: 'x', role: 'member' }, { email: 'a@example.org', role: 'king' }]) {
      it(`are refused with the body ${JSON.stringify(body)}`, async () => {
        expect(outcome(await owner.call('POST', pathOf(), body))).to.deep.equal([400, 'VALIDATION_ERROR'])
      })
    }
  })

  describe('permissions of roles', () => {
    const people = () => ({ owner, admin, member, viewer, invited, stranger })
    type Name = keyof ReturnType<typeof people>

    for (const [by, role, expected] of [
      ['owner', 'owner', 201],
      ['owner', 'admin', 201],
      ['admin', 'member', 201],
      ['admin', 'viewer', 201],
      ['admin', 'admin', 403],
      ['admin', 'owner', 403],
      ['member', 'viewer', 403],
      ['viewer', 'viewer', 403],
      ['invited', 'viewer', 404],
      ['stranger', 'viewer', 404],
    ] as const satisfies readonly (readonly [Name, string, number])[]) {
      it(`${by} invites a ${role}: ${expected}`, async () => {
        const guest = await register(accounts, `guest-${by}-${role}`)
        expect((await invite(people()[by], guest, role)).status).to.equal(expected)
      })
    }

    for (const [by, whom, body, expected] of [
      ['owner', 'admin', { role: 'owner' }, 200],
      ['owner', 'admin', { status: 'suspended' }, 200],
      ['admin', 'member', { status: 'suspended' }, 200],
      ['admin', 'viewer', { role: 'member' }, 200],
      ['admin', 'invited', { role: 'viewer' }, 200],
      ['admin', 'member', { role: 'admin' }, 403],
      ['admin', 'owner', { status: 'suspended' }, 403],
      ['admin', 'admin', { role: 'owner' }, 403],
      ['member', 'viewer', { status: 'suspended' }, 403],
      ['member', 'member', { role: 'owner' }, 403],
      ['viewer', 'viewer', { role: 'member' }, 403],
      ['stranger', 'member', { role: 'viewer' }, 404],
      ['owner', 'stranger', { role: 'viewer' }, 404],
      ['owner', 'owner', { role: 'admin' }, 409],
      ['owner', 'owner', { status: 'suspended' }, 409],
      ['owner', 'invited', { status: 'suspended' }, 409],
      ['owner', 'member', {}, 400],
      ['owner', 'member', { status: 'invited' }, 400],
      ['owner', 'member', { role: 'king' }, 400],
    ] as const satisfies readonly (readonly [Name, Name, object, number])[]) {
      it(`${by} changes ${whom} to ${JSON.stringify(body)}: ${expected}`, async () => {
        expect((await change(people()[by], people()[whom], body)).status).to.equal(expected)
      })
    }

    for (const [by, whom, expected] of [
      ['owner', 'admin', 200],
      ['admin', 'member', 200],
      ['admin', 'invited', 200],
      ['viewer', 'viewer', 200],
      ['admin', 'owner', 403],
      ['member', 'viewer', 403],
      ['stranger', 'member', 404],
      ['stranger', 'stranger', 404],
      ['owner', 'stranger', 404],
      ['owner', 'owner', 409],
    ] as const satisfies readonly (readonly [Name, Name, number])[]) {
      it(`${by} removes ${whom}: ${expected}`, async () => {
        expect((await remove(people()[by], people()[whom])).status).to.equal(expected)
      })
    }
  })

  it('let the last owner leave once there is another', async () => {
    await change(owner, admin, { role: 'owner' })
    expect((await remove(owner, owner)).status).to.equal(200)
    expect(outcome(await remove(admin, admin))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('keep one owner when two demote each other concurrently', async () => {
    await change(owner, admin, { role: 'owner' })
    const answers = await Promise.all([
      change(owner, admin, { role: 'member' }),
      change(admin, owner, { role: 'member' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
  })

  it('exclude a suspended member immediately, and can readmit it', async () => {
    expect(await actsFor(member)).to.include(organizationId)
    await change(owner, member, { status: 'suspended' })
    expect(await actsFor(member)).not.to.include(organizationId)
    expect(outcome(await change(member, member, { status: 'active' }))).to.deep.equal([404, 'NOT_FOUND'])
    await change(owner, member, { status: 'active' })
    expect(await actsFor(member)).to.include(organizationId)
  })

  it('respond identically for an organisation that does not exist and one the caller has not joined', async () => {
    const absent = '/api/organizations/SVCO-0000000000000000000000/members'
    const answers = await Promise.all([
      stranger.call('POST', absent, { email: member.email, role: 'viewer' }),
      stranger.call('POST', pathOf(), { email: member.email, role: 'viewer' }),
    ])
    const [first, second] = answers.map(({ body }) => ({ ...body, requestId: '', instance: '' }))
    expect(first).to.deep.equal(second)
  })
})
