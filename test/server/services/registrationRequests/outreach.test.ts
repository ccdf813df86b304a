import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { suspendInDatabase } from '../../../builders/suspendInDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { DAY_MS, openRequests, POLL, REQUESTS, type Requests, seen } from './openRequests.ts'

describe('an agent that a stranger asks an owner to register', () => {
  let scene: Requests

  before(async () => {
    scene = await openRequests()
  })
  after(() => scene?.service.stop())

  const newAddress = () => `reader.${randomUUID()}@people.io`
  /** Returns the link mailed for a request. */
  const linkOf = async (requestId: string): Promise<URL> => {
    const mail = await scene.mail(`registration_outreach.${requestId}`)
    return new URL(/https?:\S+\/registration-requests\/\S+?(?=[\s"<])/.exec(mail)?.[0] ?? 'x:')
  }
  const tokenOf = async (requestId: string) => (await linkOf(requestId)).searchParams.get('token') ?? ''
  const asked = async (email: string, fields: object = {}): Promise<string> => {
    const answer = await scene.outreach(email, fields)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202)
    return answer.body.requestId
  }
  const signUp = async (email: string) => {
    const body = { email, password: 'correct horse battery', fullName: 'A Reader', accountType: 'individual' }
    return (await scene.call('POST', '/api/auth/register', { body })).body.data.accessToken as string
  }

  it('gets the same response for a known and an unknown address', async () => {
    const known = (await scene.owner()).email
    const answers = []
    for (const email of [known, newAddress()]) {
      const { status, body, headers } = await scene.outreach(email)
      const { requestId, pollUrl, ...rest } = body
      expect(requestId).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(pollUrl).to.equal(`${POLL}/${requestId}`)
      const { requestId: _, requestedAt: __, ...polled } = await scene.poll(requestId)
      answers.push({ status, rest, polled, names: [...headers.keys()].sort() })
    }
    expect(answers[0]).to.deep.equal(answers[1])
    expect(answers[0]).to.deep.include({ status: 202 })
  })

  it('is requested once, however often a request with one Idempotency-Key is sent', async () => {
    const [email, headers] = [newAddress(), { 'idempotency-key': randomUUID() }]
    const body = { agentName: 'Buyer', ownerEmail: email }
    const send = (fields: object = {}) => scene.call('POST', POLL, { body: { ...body, ...fields }, headers })
    const sent = await Promise.all([send(), send(), send(), send(), send()])
    for (const { status, body } of sent) expect([status, body]).to.deep.equal([202, sent[0]?.body])
    expect(seen(await send({ agentName: 'Seller' }))).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
    const stored = 'SELECT id FROM registration_requests WHERE owner_email = ?'
    expect(await scene.service.rows(stored, email)).to.have.length(1)
  })

  it('is not mailed to a suspended owner, whose address is proven, but gets the same response', async () => {
    const owner = await scene.owner()
    const { developerId } = (await owner.call('GET', '/api/me')).body.user
    await scene.service.rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', owner.userId)
    await suspendInDatabase(scene.service, developerId)
    const [kept, sent] = [await asked(owner.email), await asked(newAddress())]
    // Requests are announced in order.
    await scene.mail(`registration_outreach.${sent}`)
    const mailed = 'SELECT message_key FROM mail_outbox WHERE recipient = ? AND template = ?'
    expect(await scene.service.rows(mailed, owner.email, 'registration_outreach')).to.deep.equal([])
    expect((await scene.poll(kept)).status).to.equal('pending')
  })

  describe('whose owner adds a description and a boundary', () => {
    const added = { description: 'Buys books', pdlss: { limits: { approvalThreshold: 50, currency: 'EUR' } } }
    let bearer: string
    let authenticator: Awaited<ReturnType<Requests['passkeyFor']>>['authenticator']
    let requestId: string

    beforeEach(async () => {
      const email = newAddress()
      requestId = await asked(email, { agentDescription: 'Buys for you' })
      bearer = await signUp(email)
      authenticator = (await scene.passkeyFor(bearer)).authenticator
      await call('POST', '/claim', { token: await tokenOf(requestId) })
    })

    const call = (method: string, action = '', body?: object) =>
      scene.call(method, `${REQUESTS}/${requestId}${action}`, { bearer, ...(body ? { body } : {}) })
    /** Signs the options for an approval with these fields. */
    const signed = async (fields: object) => {
      const { status, body } = await call('POST', '/options', fields)
      expect(status, JSON.stringify(body)).to.equal(200)
      return authenticator.assert(body.assertionOptions)
    }

    it('gets what the owner’s passkey has signed', async () => {
      const approved = await call('POST', '/approve', { response: await signed(added), ...added })
      expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
      const { svcId } = approved.body.request
      const { agent } = (await scene.call('GET', `/api/agents/${svcId}`, { bearer })).body
      expect(agent).to.deep.include({ name: 'Buyer', ...added })
    })

    it('is not registered with anything else than what the passkey has signed', async () => {
      const looser = { limits: { ...added.pdlss.limits, approvalThreshold: 51 } }
      const withoutFields = authenticator.assert((await call('GET')).body.request.assertionOptions)
      for (const [response, fields] of [
        [withoutFields, added],
        [await signed({}), { description: added.description }],
        [await signed(added), { ...added, description: 'Buys cars' }],
        [await signed(added), { ...added, pdlss: looser }],
        [await signed(added), { description: added.description }],
        [await signed(added), {}],
      ] as const) {
        const refused = await call('POST', '/approve', { response, ...fields })
        expect(seen(refused), JSON.stringify(fields)).to.deep.equal([403, 'PASSKEY_REJECTED'])
      }
      expect(await scene.poll(requestId)).to.include({ status: 'pending', svcId: null })
    })

    it('names an invalid field before the passkey is asked, and when approving', async () => {
      const fields = { pdlss: { limit: {} } }
      const response = await signed({})
      for (const answer of [
        await call('POST', '/options', fields),
        await call('POST', '/approve', { response, ...fields }),
      ]) {
        expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, '/pdlss/limit'])
      }
    })

    it('has no options for other accounts, and none once it is decided', async () => {
      const stranger = await scene.owner()
      const path = `${REQUESTS}/${requestId}/options`
      expect(seen(await stranger.call('POST', path, { body: added }))).to.deep.equal([404, 'NOT_FOUND'])
      await call('POST', '/deny', {})
      expect(seen(await call('POST', '/options', added))).to.deep.equal([409, 'INVALID_STATE'])
    })
  })

  it('is registered once its owner has opened an account with the mailed link and approved it', async () => {
    const email = newAddress()
    const requestId = await asked(email, { agentDescription: 'Buys for you', reason: 'It visits our shop' })
    const link = await linkOf(requestId)
    expect(link.origin + link.pathname).to.equal(`${scene.appUrl}/registration-requests/${requestId}`)
    const bearer = await signUp(email)
    const before = await scene.call('GET', `${REQUESTS}/${requestId}`, { bearer })
    expect(seen(before)).to.deep.equal([404, 'NOT_FOUND'])
    const body = { token: await tokenOf(requestId) }
    const claimed = await scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body })
    expect(claimed.body.request).to.deep.include({
      kind: 'outreach',
      status: 'pending',
      reason: 'It visits our shop',
    })
    expect(claimed.body.request.registration).to.deep.include({
      name: 'Buyer',
      description: 'Buys for you',
      pdlss: {},
    })
    const again = await scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body })
    expect(again.status).to.equal(200)
    const me = (await scene.call('GET', '/api/me', { bearer })).body
    expect(me.user.isEmailVerified).to.equal(true)
    const shown = await scene.call('GET', `${REQUESTS}/${requestId}`, { bearer })
    expect(shown.body.request).to.include({ ownerId: me.user.developerId, assertionOptions: null })
    const { authenticator } = await scene.passkeyFor(bearer)
    const { assertionOptions } = (await scene.call('GET', `${REQUESTS}/${requestId}`, { bearer })).body
      .request
    const approved = await scene.call('POST', `${REQUESTS}/${requestId}/approve`, {
      bearer,
      body: { response: authenticator.assert(assertionOptions) },
    })
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
    const opened = await scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body })
    expect([opened.status, opened.body.request.status]).to.deep.equal([200, 'approved'])
    const polled = await scene.poll(requestId)
    expect(polled.status).to.equal('approved')
    const { agent } = (await scene.call('GET', `/api/agents/${polled.agentId}`, { bearer })).body
    expect(agent).to.include({ name: 'Buyer', svcId: polled.svcId })
    expect(await scene.ownerOf(polled.svcId)).to.equal(me.user.developerId)
  })

  it('is shown without a token to the holder of the verified address, also on the dashboard', async () => {
    const ada = await scene.owner()
    await scene.store('UPDATE users SET email_verified_at = 1 WHERE id = ?', ada.userId)
    const requestId = await asked(ada.email.toUpperCase())
    const { items } = (await ada.call('GET', `${REQUESTS}?status=pending`)).body
    expect(items.map((one: { requestId: string }) => one.requestId)).to.deep.equal([requestId])
    await waitUntil(async () => {
      const alerts = (await ada.call('GET', '/api/alerts')).body.items
      return alerts.find(({ data }: { data: { requestId?: string } }) => data.requestId === requestId) ?? null
    })
    const { assertionOptions } = (await ada.call('GET', `${REQUESTS}/${requestId}`)).body.request
    const body = { response: ada.authenticator.assert(assertionOptions) }
    const approved = await ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body })
    expect(approved.body.request).to.include({ status: 'approved', ownerId: ada.developerId })
  })

  it('is not shown to an account with an unverified address, nor transferred to another by the token', async () => {
    const email = newAddress()
    const requestId = await asked(email)
    const token = await tokenOf(requestId)
    const squatter = await signUp(email)
    const list = await scene.call('GET', REQUESTS, { bearer: squatter })
    expect(list.body.items).to.deep.equal([])
    const claim = (bearer: string, body: object) =>
      scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body })
    expect(seen(await claim(squatter, { token: 'x'.repeat(43) }))).to.deep.equal([400, 'INVALID_TOKEN'])
    const stranger = await signUp(newAddress())
    expect(seen(await claim(stranger, { token }))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await claim(squatter, { token })).status).to.equal(200)
    const other = await asked(newAddress())
    const elsewhere = await scene.call('POST', `${REQUESTS}/${other}/claim`, {
      bearer: squatter,
      body: { token },
    })
    expect(seen(elsewhere)).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('can be denied by its owner', async () => {
    const email = newAddress()
    const requestId = await asked(email)
    const bearer = await signUp(email)
    const body = { token: await tokenOf(requestId) }
    await scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body })
    const denied = await scene.call('POST', `${REQUESTS}/${requestId}/deny`, {
      bearer,
      body: { reason: 'No' },
    })
    expect(denied.status).to.equal(200)
    expect(await scene.poll(requestId)).to.include({ status: 'denied', denialReason: 'No', agentId: null })
  })

  it('expires after seven days, and its link with it', async () => {
    const email = newAddress()
    const requestId = await asked(email)
    const token = await tokenOf(requestId)
    scene.time.now += 7 * DAY_MS
    expect((await scene.poll(requestId)).status).to.equal('expired')
    const bearer = await signUp(email)
    const claim = await scene.call('POST', `${REQUESTS}/${requestId}/claim`, { bearer, body: { token } })
    expect(seen(claim)).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('is limited to three per address and day, however many are concurrent', async () => {
    const email = newAddress()
    const answers = await Promise.all(Array.from({ length: 8 }, () => scene.outreach(email)))
    expect(answers.filter(({ status }) => status === 202)).to.have.length(3)
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).to.equal(DAY_MS / 1000)
    expect(refused?.headers.get('ratelimit-policy')).to.equal('"outreach-address";q=3;w=86400')
    expect(refused?.headers.get('ratelimit')).to.equal('"outreach-address";r=0;t=86400')
    scene.time.now += DAY_MS - 1
    expect(seen(await scene.outreach(` ${email.toUpperCase()}`))).to.deep.equal([429, 'RATE_LIMITED'])
    scene.time.now += 1
    expect((await scene.outreach(email)).status).to.equal(202)
  })

  it('is not named in the mail by a text that would become a link', async () => {
    const requestId = await asked(newAddress(), { agentName: 'Win at evil.io', reason: 'canaryreason' })
    const mail = await scene.mail(`registration_outreach.${requestId}`)
    expect(mail).not.to.match(/evil|canaryreason/)
  })

  it('requires a name and an address', async () => {
    for (const body of [{}, { agentName: 'Buyer' }, { agentName: 'Buyer', ownerEmail: 'nobody' }]) {
      const answer = await scene.call('POST', POLL, { body })
      expect(seen(answer)).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
  })
})
