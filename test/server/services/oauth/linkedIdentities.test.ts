import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { APP_URL } from '../accounts/openAccounts.ts'
import { told } from '../accounts/told.ts'
import { openProviderScene, type ProviderScene } from './openProviderScene.ts'

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('signing in at an identity provider', () => {
  let scene: ProviderScene

  before(async () => {
    scene = await openProviderScene()
  })
  after(() => scene?.close())

  describe('with an address that has an account', () => {
    for (const [what, provider, claims] of [
      ['Google hands out', 'google', {}],
      ['Google manages the domain of', 'google', { email: `ceo@a${randomUUID()}.io`, hd: undefined }],
      ['Microsoft hands out', 'microsoft', { xms_edov: true, tid: CONSUMERS }],
    ] as const) {
      it(`links an address that ${what}, and notifies the owner`, async () => {
        const { login } = scene.person(claims)
        const email =
          'email' in claims
            ? claims.email
            : `${login}@${provider === 'google' ? 'googlemail.com' : 'outlook.com'}`
        scene.people[login] = { ...scene.people[login], email, hd: email.split('@')[1] }
        const bearer = await scene.register(email)
        const { user } = await scene.signIn(login, provider)
        expect(user.id).to.equal((await scene.call('GET', '/api/me', { bearer })).body.user.id)
        const mails = await scene.service.rows<{ template: string }>(
          'SELECT template FROM mail_outbox WHERE recipient = ?',
          email,
        )
        expect(mails.map(({ template }) => template)).to.include('identity_linked')
      })
    }

    for (const [what, provider, claims, isVerified] of [
      ['the account has not proven', 'google', {}, false],
      ['the provider does not hand out', 'google', { email: `a@b${randomUUID()}.io` }, true],
      [
        'is of another domain than it manages',
        'google',
        { email: `c@d${randomUUID()}.io`, hd: 'e.io' },
        true,
      ],
      ['a tenant of Microsoft vouches for', 'microsoft', { xms_edov: true, tid: randomUUID() }, true],
    ] as const) {
      it(`does not take over an account whose address ${what}`, async () => {
        const { login, email } = scene.person(claims)
        const bearer = await scene.register(email, isVerified)
        expect(told(await scene.arrive(scene.newBrowser(), login, provider))).to.deep.equal({
          error: 'account_exists',
        })
        expect(await scene.identities(bearer)).to.deep.equal([])
      })
    }
  })

  describe('from an account', () => {
    it('is linked to it, whatever address the provider reports', async () => {
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      const { login } = scene.person({ email_verified: false })
      expect(await scene.link(scene.newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      expect(await scene.link(scene.newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      const own = await scene.identities(bearer)
      expect(own).to.have.length(1)
      const me = await scene.call('GET', '/api/me', { bearer })
      expect((await scene.signIn(login)).user.id).to.equal(me.body.user.id)
    })

    it('is not linked if it belongs to another account', async () => {
      const { login } = scene.person()
      const theirs = await scene.signIn(login)
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      expect(await scene.link(scene.newBrowser(), bearer, login)).to.deep.equal({ error: 'identity_taken' })
      expect((await scene.signIn(login)).user.id).to.equal(theirs.user.id)
    })

    it('is not linked once the session has ended', async () => {
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      const browser = scene.newBrowser()
      const { body } = await browser.post('/api/auth/oauth/google/link', {}, bearer)
      await scene.call('POST', '/api/auth/logout-all', { bearer })
      const end = await scene.consent(browser, await browser.visit(body.url), scene.person().login)
      expect(told(end)).to.deep.equal({ error: 'session_ended' })
    })

    it('is not linked in a browser that was only given the URL', async () => {
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      const { body } = await scene.newBrowser().post('/api/auth/oauth/google/link', {}, bearer)
      const victim = scene.newBrowser()
      const end = await scene.consent(victim, await victim.visit(body.url), scene.person().login)
      expect(told(end)).to.deep.equal({ error: 'state_mismatch' })
      expect(await scene.identities(bearer)).to.deep.equal([])
    })

    it('requires a recent sign-in to link, if there is no passkey', async () => {
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      scene.time.offset += 5 * 60_000 + 1
      const { status, body } = await scene.call('POST', '/api/auth/oauth/google/link', { bearer, body: {} })
      expect([status, body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    })

    it('requires a fresh passkey, if there is one, to link and to unlink', async () => {
      const { login } = scene.person()
      const { accessToken: bearer } = await scene.signIn(login)
      const [own] = await scene.identities(bearer)
      await enrolPasskey(scene.service.baseUrl, bearer, APP_URL)
      for (const [method, path] of [
        ['POST', '/api/auth/oauth/google/link'],
        ['DELETE', `/api/auth/oauth/identities/${own.id}`],
      ] as const) {
        const body = method === 'POST' ? { body: {} } : {}
        const { status, body: answer } = await scene.call(method, path, { bearer, ...body })
        expect([status, answer.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      }
    })

    it('is unlinked from it, and no longer signs in to it', async () => {
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      const { login, email } = scene.person()
      await scene.link(scene.newBrowser(), bearer, login)
      const me = (await scene.call('GET', '/api/me', { bearer })).body.user
      const browser = scene.newBrowser()
      const { code } = told(await scene.arrive(browser, login))
      const [own] = await scene.identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      expect((await scene.call('DELETE', path, { bearer })).status).to.equal(200)
      expect((await scene.exchange(browser, code)).status).to.equal(400)
      const anew = await scene.signIn(login)
      expect(anew.user.email).to.equal(email)
      expect(anew.user.id).not.to.equal(me.id)
    })

    it('ends on unlinking exactly the sessions that it opened, with an authenticator code or without', async () => {
      const { login, email } = scene.person({ hd: 'gmail.com' })
      const bearer = await scene.register(email)
      expect(await scene.link(scene.newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      const plain = (await scene.signIn(login)).accessToken
      const { post, code } = await scene.turnAppOn(bearer)
      const browser = scene.newBrowser()
      const { interimToken } = (await scene.exchange(browser, told(await scene.arrive(browser, login)).code))
        .body
      const coded = (await post('/api/auth/mfa', { interimToken, code: code(1) })).body.data.accessToken
      const statuses = () =>
        Promise.all(
          [plain, coded, bearer].map(
            async (one) => (await scene.call('GET', '/api/me', { bearer: one })).status,
          ),
        )
      expect(await statuses()).to.deep.equal([200, 200, 200])
      const [own] = await scene.identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      expect((await scene.call('DELETE', path, { bearer })).status).to.equal(200)
      expect(await statuses()).to.deep.equal([401, 401, 200])
    })

    it('cannot be unlinked as the last way to sign in', async () => {
      const { accessToken: bearer } = await scene.signIn(scene.person().login)
      const [own] = await scene.identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      const { status, body } = await scene.call('DELETE', path, { bearer })
      expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
      expect(await scene.identities(bearer)).to.have.length(1)
    })

    it('is not visible to another account, which cannot unlink it', async () => {
      const { accessToken } = await scene.signIn(scene.person().login)
      const [theirs] = await scene.identities(accessToken)
      const bearer = await scene.register(`owner.${randomUUID()}@acme.io`)
      const path = `/api/auth/oauth/identities/${theirs.id}`
      const { status, body } = await scene.call('DELETE', path, { bearer })
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
      expect(await scene.identities(accessToken)).to.have.length(1)
    })
  })
})
