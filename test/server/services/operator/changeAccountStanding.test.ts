import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { openEventStream } from '../../../harness/service/openEventStream.ts'
import { CONTACT, type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

const SUSPENDED = [403, 'ACCOUNT_SUSPENDED']

describe('the suspension of an account', () => {
  let scene: OperatorScene
  before(async () => {
    scene = await openOperatorScene()
  })
  after(() => scene?.service.stop())

  const suspend = ({ user }: { user: { developerId: string } }) => scene.suspend(user)
  const resume = ({ user }: { user: { developerId: string } }) => scene.resume(user)
  const me = (bearer: string) => scene.call('GET', '/api/me', { bearer })

  describe('ends', () => {
    it('every session with its refresh tokens, from the response on, and says why', async () => {
      const person = await scene.person()
      const other = (await person.logIn()).body.data
      await suspend(person)
      for (const bearer of [person.accessToken, other.accessToken]) {
        expect(outcomeOf(await me(bearer))).to.deep.equal(SUSPENDED)
      }
      const refreshed = await scene.call('POST', '/api/auth/refresh', {
        body: { refreshToken: other.refreshToken },
      })
      expect(outcomeOf(refreshed)).to.deep.equal(SUSPENDED)
      expect(refreshed.body.message).to.contain(REASON)
      await resume(person)
      // A sign-in is needed: the sessions have ended for good.
      expect(outcomeOf(await me(person.accessToken))).to.deep.equal([401, 'UNAUTHENTICATED'])
      const again = await scene.call('POST', '/api/auth/refresh', {
        body: { refreshToken: other.refreshToken },
      })
      expect(outcomeOf(again)).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('the open streams of its sessions and keys', async () => {
      const person = await scene.person()
      const url = `${scene.baseUrl}/api/activity/stream`
      const streams = [person.accessToken, person.apiKey].map((bearer) => openEventStream(url, { bearer }))
      const [first, second] = await Promise.all(streams)
      await suspend(person)
      // The event of the suspension wakes the streams, which check their credentials before they send it.
      for (const stream of [first, second]) {
        await stream?.ended()
        expect(stream?.events.map(({ type }) => type)).not.to.include('account.suspended')
      }
    })

    it('the use of its API keys, personal and of its organisations, while keys of other members continue', async () => {
      const person = await scene.person()
      const colleague = await scene.person()
      const { organizationId } = person
      await scene.rows(
        `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, 'admin', 'active', 1)`,
        organizationId,
        colleague.user.id,
      )
      const bearer = (await colleague.logIn()).body.data.accessToken
      const body = { name: 'a colleague’s', organizationId }
      const { key } = (await scene.call('POST', '/api/api-keys', { bearer, body })).body
      const counterpartyId = await scene.endpointOf(person.apiKey)
      await suspend(person)
      for (const refused of [person.apiKey, person.personalKey]) {
        expect(outcomeOf(await scene.verify(refused, { counterpartyId }))).to.deep.equal(SUSPENDED)
        expect(outcomeOf(await scene.call('GET', '/api/activity', { bearer: refused }))).to.deep.equal(
          SUSPENDED,
        )
      }
      expect((await scene.verify(key, { counterpartyId })).status).to.equal(200)
      await resume(person)
      expect((await scene.verify(person.apiKey, { counterpartyId })).status).to.equal(200)
    })
  })

  it('has its agents denied as not active, and shows them so, until it ends', async () => {
    const [shop, owner] = [await scene.person(), await scene.person()]
    const counterpartyId = await scene.endpointOf(shop.apiKey)
    const agentId = await scene.agentOf(owner.user.developerId)
    const status = async () => (await scene.call('GET', `/api/agents/${agentId}`)).body.agent.agentStatus
    const ask = () => scene.decide(shop.apiKey, { agentId, counterpartyId })
    expect([await ask(), await status()]).to.deep.equal([['grant'], 'active'])
    await suspend(owner)
    expect([await ask(), await status()]).to.deep.equal([['deny', 'agent.status'], 'suspended'])
    await resume(owner)
    expect([await ask(), await status()]).to.deep.equal([['grant'], 'active'])
  })

  it('withdraws the receipts of its agents for good, and not those of its organisations', async () => {
    const [shop, owner] = [await scene.person(), await scene.person()]
    const counterpartyId = await scene.endpointOf(shop.apiKey)
    const grant = async (ownerId: string) => {
      const body = { agentId: await scene.agentOf(ownerId), counterpartyId, includeReceipt: true }
      return (await scene.verify(shop.apiKey, body)).body.auditRecordId as string
    }
    const records = [await grant(owner.user.developerId), await grant(owner.organizationId)]
    const seen = () => Promise.all(records.map(scene.isWithdrawn))
    expect(await seen()).to.deep.equal([false, false])
    await suspend(owner)
    await resume(owner)
    expect(await seen()).to.deep.equal([true, false])
    expect(await scene.isWithdrawn(await grant(owner.user.developerId))).to.equal(false)
  })

  it('keeps an invitation that it made from being accepted', async () => {
    const [owner, second] = [await scene.person(), await scene.person()]
    const body = { email: second.user.email, role: 'admin' }
    const path = `/api/organizations/${owner.organizationId}/members`
    await scene.call('POST', path, { bearer: owner.accessToken, body })
    const mail = await scene.mailTo(second.user.email, 'Invitation to an organisation')
    const token = /invitations\/([\w-]{43})/.exec(mail)?.[1]
    await suspend(owner)
    const accepted = await scene.call('POST', '/api/invitations/accept', {
      bearer: second.accessToken,
      body: { token },
    })
    expect(outcomeOf(accepted)).to.deep.equal([409, 'INVALID_STATE'])
  })

  describe('is told', () => {
    it('to the owner by e-mail, with the reason and whom to contact, and so is its end', async () => {
      const person = await scene.person()
      await suspend(person)
      const mail = await scene.mailTo(person.user.email, 'Your account was suspended')
      expect(mail).to.contain(REASON).and.contain(CONTACT)
      const reason = 'It was a mistake of ours.'
      await scene.order(`accounts/${person.user.developerId}/resume`, { reason })
      expect(await scene.mailTo(person.user.email, 'no longer suspended')).to.contain(reason)
    })

    it('by an alert for each step, also twice a day, and by an event in the activity', async () => {
      const person = await scene.person()
      for (let round = 0; round < 2; round += 1) {
        await suspend(person)
        await resume(person)
      }
      const bearer = (await person.logIn()).body.data.accessToken
      const { items } = (await scene.call('GET', '/api/alerts', { bearer })).body
      const alerts = items.map(({ code, data }: { code: string; data: object }) => ({ code, data }))
      const data = { reason: REASON }
      expect(alerts).to.deep.equal([
        { code: 'account.resumed', data },
        { code: 'account.suspended', data },
        { code: 'account.resumed', data },
        { code: 'account.suspended', data },
      ])
      expect((await scene.seenIn(bearer, 'account.suspended')).eventData).to.deep.equal({
        developerId: person.user.developerId,
        decidedBy: scene.operator.user.developerId,
      })
      await scene.seenIn(bearer, 'account.resumed')
    })

    it('in an audit record that names the account and the operator, but not the reason', async () => {
      const person = await scene.person()
      await suspend(person)
      const records = await scene.records('account.suspended', 'owner_id', person.user.developerId)
      expect(records).to.have.length(1)
      const change = { developerId: person.user.developerId, decidedBy: scene.operator.user.developerId }
      expect(JSON.parse(records[0]?.inputs ?? '')).to.deep.equal(change)
      expect(records[0]?.entry).to.contain(person.user.developerId)
      expect(JSON.stringify(records)).not.to.contain(REASON)
    })
  })

  describe('is refused', () => {
    it('for the operator’s own account', async () => {
      const { developerId } = scene.operator.user
      for (const step of ['suspend', 'resume']) {
        expect(outcomeOf(await scene.order(`accounts/${developerId}/${step}`))).to.deep.equal([
          403,
          'FORBIDDEN',
        ])
      }
      expect((await me(scene.operator.bearer)).status).to.equal(200)
    })

    it('if it is in force already, and its end if it is not', async () => {
      const person = await scene.person()
      const path = `accounts/${person.user.developerId}`
      expect(outcomeOf(await scene.order(`${path}/resume`))).to.deep.equal([409, 'INVALID_STATE'])
      const both = await Promise.all([scene.order(`${path}/suspend`), scene.order(`${path}/suspend`)])
      expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409])
      expect(await scene.records('account.suspended', 'owner_id', person.user.developerId)).to.have.length(1)
    })

    it('for an account that does not exist', async () => {
      for (const id of ['SVCD-0000000000000000000000', '00000000-0000-7000-8000-000000000000', 'nobody']) {
        expect(outcomeOf(await scene.order(`accounts/${id}/suspend`))).to.deep.equal([404, 'NOT_FOUND'])
      }
    })

    for (const [what, body] of [
      ['no reason', {}],
      ['an empty reason', { reason: '   ' }],
      ['a reason that is too long', { reason: 'x'.repeat(1001) }],
      ['more than a reason', { reason: REASON, days: 3 }],
    ] as const) {
      it(`with ${what}`, async () => {
        const person = await scene.person()
        const refused = await scene.order(`accounts/${person.user.id}/suspend`, body)
        expect(outcomeOf(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect((await me(person.accessToken)).status).to.equal(200)
      })
    }

    it('without a fresh passkey, and for anybody but an operator', async () => {
      const person = await scene.person()
      const path = `/api/admin/accounts/${person.user.developerId}/suspend`
      const body = { reason: REASON }
      const stale = await scene.call('POST', path, { bearer: scene.operator.bearer, body })
      expect(outcomeOf(stale)).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const foreign = await scene.call('POST', path, { bearer: (await scene.person()).accessToken, body })
      expect(outcomeOf(foreign)).to.deep.equal([403, 'FORBIDDEN'])
    })

    it('to one of two operators who suspend each other at once', async () => {
      const two = [await scene.person(), await scene.person()]
      const ids = two.map(({ user }) => user.id)
      await scene.rows(`UPDATE users SET role = 'operator' WHERE id IN (?, ?)`, ...ids)
      // Makes an embedded service forget the roles that it has cached.
      await suspend(await scene.person())
      const orders = await Promise.all(
        two.map(async ({ logIn }, nth) => {
          const bearer = (await logIn()).body.data.accessToken
          const headers = { 'x-svc-elevation': await (await enrolPasskey(scene.baseUrl, bearer)).elevation() }
          const path = `/api/admin/accounts/${ids[1 - nth]}/suspend`
          return () => scene.call('POST', path, { bearer, headers, body: { reason: REASON } })
        }),
      )
      const answers = await Promise.all(orders.map((send) => send()))
      const [first, second = 0] = answers.map(({ status }) => status).sort()
      // The second one may not even be authenticated any more.
      expect(first).to.equal(200)
      expect([401, 403]).to.include(second)
    })
  })

  it('tells whoever cannot sign in whom to contact', async () => {
    expect((await scene.call('GET', '/api/auth/methods')).body.supportContact).to.equal(CONTACT)
  })
})
