import { expect } from 'chai'
import { suspendInDatabase } from '../../../builders/suspendInDatabase.ts'
import { startOpenIdProvider } from '../../../harness/peers/startOpenIdProvider.ts'
import { createCookieBrowser } from '../../../harness/service/createCookieBrowser.ts'
import { startService } from '../../../harness/service/startService.ts'
import { APP_URL } from '../accounts/openAccounts.ts'
import { told } from '../accounts/told.ts'
import { openProviderScene, type ProviderScene } from './openProviderScene.ts'

describe('signing in at an identity provider', () => {
  let scene: ProviderScene

  before(async () => {
    scene = await openProviderScene()
  })
  after(() => scene?.close())

  it('is offered for the configured providers', async () => {
    const { status, body } = await scene.call('GET', '/api/auth/methods')
    expect(status).to.equal(200)
    const oauth = [
      { provider: 'google', name: 'Google' },
      { provider: 'microsoft', name: 'Microsoft' },
    ]
    expect(body).to.deep.equal({
      success: true,
      supportContact: null,
      formerPasskeyHosts: [],
      methods: { password: true, passkey: true, siwe: true, oauth },
    })
  })

  it('returns 404 for an unknown provider', async () => {
    for (const path of ['/api/auth/oauth/github', '/api/auth/oauth/github/callback?state=x']) {
      const { status, body } = await scene.call('GET', path)
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
  })

  it('starts with PKCE, a state and a nonce, and hides them from scripts and other sites', async () => {
    const browser = scene.newBrowser()
    const left = await browser.send(new URL('/api/auth/oauth/google', APP_URL))
    const to = new URL(left.headers.get('location') ?? '')
    expect(left.status).to.equal(302)
    expect(to.origin).to.equal(scene.google.issuer)
    const asked = Object.fromEntries(to.searchParams)
    expect(asked).to.include({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      redirect_uri: `${APP_URL}/api/auth/oauth/google/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).to.match(/^[\w-]{43}$/)
    const [cookie = ''] = left.headers.getSetCookie()
    expect(cookie).to.match(
      /^__Host-svc_oauth=v2\.[0-9a-f]{12}\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(cookie).not.to.include(asked.state)
  })

  it('creates an account with a verified address, and finds it again', async () => {
    const { login, email } = scene.person()
    const first = await scene.signIn(login)
    expect(first.user).to.include({ email, isEmailVerified: true, fullName: 'Ada Lovelace' })
    const second = await scene.signIn(login)
    expect(second.user.id).to.equal(first.user.id)
    const sessions = await scene.call('GET', '/api/auth/sessions', { bearer: second.accessToken })
    expect(sessions.body.items[0].amr).to.deep.equal(['fed'])
    const [identity] = await scene.identities(second.accessToken)
    expect(identity).to.include({ provider: 'google', issuer: scene.google.issuer, email })
  })

  it('normalises an address as accounts do', async () => {
    const { login } = scene.person({ email: 'Grace.Hopper@GMAIL.com' })
    expect((await scene.signIn(login)).user.email).to.equal('grace.hopper@gmail.com')
  })

  it('truncates a long name at a character boundary', async () => {
    const { login } = scene.person({ name: `${'x'.repeat(199)}😀!` })
    expect((await scene.signIn(login)).user.fullName).to.equal('x'.repeat(199))
  })

  it('works the same with the other provider if the domain is verified', async () => {
    const { login, email } = scene.person({ email_verified: undefined, xms_edov: '1' })
    expect((await scene.signIn(login, 'microsoft')).user).to.include({ email, isEmailVerified: true })
  })

  it('opens an account with an unproven address, and mails its confirmation, if Microsoft says nothing of the domain', async () => {
    const { login, email } = scene.person({ email_verified: undefined })
    const { user, accessToken } = await scene.signIn(login, 'microsoft')
    expect(user).to.include({ email, isEmailVerified: false })
    const mails = await scene.service.rows<{ template: string }>(
      'SELECT template FROM mail_outbox WHERE recipient = ?',
      email,
    )
    expect(mails.map(({ template }) => template)).to.deep.equal(['verify_email'])
    expect(await scene.identities(accessToken)).to.have.length(1)
    const again = await scene.signIn(login, 'microsoft')
    expect(again.user.id).to.equal(user.id)
  })

  it('opens no account with an unproven address that has one', async () => {
    const { login, email } = scene.person({ email_verified: undefined })
    await scene.register(email)
    expect(told(await scene.arrive(scene.newBrowser(), login, 'microsoft'))).to.deep.equal({
      error: 'account_exists',
    })
  })

  it('treats the same subject at two providers as two people', async () => {
    const { login } = scene.person()
    const atGoogle = await scene.signIn(login)
    scene.people[login] = { email: `${login}@other.io`, xms_edov: true, name: 'Somebody else' }
    const atMicrosoft = await scene.signIn(login, 'microsoft')
    expect(atMicrosoft.user.id).not.to.equal(atGoogle.user.id)
  })

  for (const [what, provider, claims] of [
    ['is not verified', 'google', { email_verified: false }],
    ['is verified in words only', 'google', { email_verified: 'true' }],
    ['is missing', 'google', { email: undefined }],
    ['is none', 'google', { email: 'nobody' }],
    ['Microsoft calls unverified', 'microsoft', { email_verified: false }],
    ['Microsoft says is not its tenant’s', 'microsoft', { xms_edov: false }],
  ] as const) {
    it(`creates no account with an address that ${what}`, async () => {
      const { login } = scene.person(claims)
      const users = () => scene.service.rows('SELECT id FROM users')
      const before = await users()
      expect(told(await scene.arrive(scene.newBrowser(), login, provider))).to.deep.equal({
        error: 'email_unverified',
      })
      expect(await users()).to.deep.equal(before)
    })
  }

  it('requires the code of an authenticator app if there is one', async () => {
    const { login } = scene.person()
    const { accessToken: bearer } = await scene.signIn(login)
    const { post, code } = await scene.turnAppOn(bearer)
    const browser = scene.newBrowser()
    const asked = await scene.exchange(browser, told(await scene.arrive(browser, login)).code)
    expect(asked.body).to.include({ success: true, mfaRequired: true, expiresIn: 300 })
    expect(asked.body).not.to.have.property('data')
    const { interimToken } = asked.body
    const done = await post('/api/auth/mfa', { interimToken, code: code(1) })
    expect(done.body.data.user.email).to.equal(`${login}@gmail.com`)
  })

  it('is refused to a suspended account, with the reason, once the provider has confirmed the identity', async () => {
    const { login } = scene.person()
    const { user } = await scene.signIn(login)
    await suspendInDatabase(scene.service, user.developerId, 'It sent spam.')
    const browser = scene.newBrowser()
    const { status, body } = await scene.exchange(browser, told(await scene.arrive(browser, login)).code)
    expect([status, body.code]).to.deep.equal([403, 'ACCOUNT_SUSPENDED'])
    expect(body.message).to.contain('It sent spam.')
  })

  describe('ends with a clear message', () => {
    it('when it is declined at the provider', async () => {
      const browser = scene.newBrowser()
      const form = await browser.visit('/api/auth/oauth/google')
      const end = await browser.visit(`${form.url}/abort`)
      expect(told(end)).to.deep.equal({ error: 'access_denied' })
      expect(browser.cookiesOf(APP_URL).size).to.equal(0)
    })

    it('when the provider does not respond, and works again once it does', async () => {
      const down = await startOpenIdProvider(scene.people)
      const other = await startService({ settings: { APP_URL, ...down.settings('GOOGLE') } })
      const browser = createCookieBrowser({ url: APP_URL, baseUrl: other.baseUrl })
      try {
        const end = await browser.visit('/api/auth/oauth/google')
        expect(told(end)).to.deep.equal({ error: 'provider_unavailable' })
        down.accept(`${APP_URL}/api/auth/oauth/google/callback`)
        const { login } = scene.person()
        expect(told(await scene.arrive(browser, login))).to.have.property('code')
        const form = await browser.visit('/api/auth/oauth/google')
        expect(form.url.searchParams.has('error')).to.equal(false)
      } finally {
        await other.stop()
        await down.stop()
      }
    })

    it('for a forged state', async () => {
      const browser = scene.newBrowser()
      const back = await scene.returnOf(browser, scene.person().login)
      back.searchParams.set('state', 'f'.repeat(43))
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('in another browser than the one that started', async () => {
      const back = await scene.returnOf(scene.newBrowser(), scene.person().login)
      const other = scene.newBrowser()
      expect(told(await other.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
      await other.visit('/api/auth/oauth/google')
      expect(told(await other.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a cookie that was changed, or belongs to the other provider', async () => {
      const browser = scene.newBrowser()
      const back = await scene.returnOf(browser, scene.person().login)
      const cookies = browser.cookiesOf(APP_URL)
      const [[name = '', sealed = ''] = []] = [...cookies]
      const at = sealed.length / 2
      cookies.set(name, `${sealed.slice(0, at)}${sealed.at(at) === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`)
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
      cookies.set(name, sealed)
      const other = back.href.replace('/google/', '/microsoft/')
      expect(told(await browser.visit(other))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a repeated callback', async () => {
      const browser = scene.newBrowser()
      const back = await scene.returnOf(browser, scene.person().login)
      const kept = new Map(browser.cookiesOf(APP_URL))
      expect(told(await browser.visit(back.href))).to.have.property('code')
      for (const [name, value] of kept) browser.cookiesOf(APP_URL).set(name, value)
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a callback after ten minutes', async () => {
      const browser = scene.newBrowser()
      const back = await scene.returnOf(browser, scene.person().login)
      scene.time.offset += 10 * 60_000
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a code that the provider did not issue', async () => {
      const browser = scene.newBrowser()
      const back = await scene.returnOf(browser, scene.person().login)
      back.searchParams.set('code', 'another')
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'identity_rejected' })
    })
  })

  describe('passes the sign-in to the page', () => {
    it('once', async () => {
      const browser = scene.newBrowser()
      const { code } = told(await scene.arrive(browser, scene.person().login))
      const kept = new Map(browser.cookiesOf(APP_URL))
      expect((await scene.exchange(browser, code)).status).to.equal(200)
      for (const [name, value] of kept) browser.cookiesOf(APP_URL).set(name, value)
      const again = await scene.exchange(browser, code)
      expect([again.status, again.body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('within a minute', async () => {
      const browser = scene.newBrowser()
      const { code } = told(await scene.arrive(browser, scene.person().login))
      scene.time.offset += 60_000
      const late = await scene.exchange(browser, code)
      expect([late.status, late.body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('in the same browser only', async () => {
      const { code } = told(await scene.arrive(scene.newBrowser(), scene.person().login))
      const other = scene.newBrowser()
      await scene.arrive(other, scene.person().login)
      for (const browser of [scene.newBrowser(), other]) {
        const { status, body } = await scene.exchange(browser, code)
        expect([status, body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
      }
    })

    it('and stores only the hash of the code', async () => {
      const { code = '' } = told(await scene.arrive(scene.newBrowser(), scene.person().login))
      const rows = await scene.service.rows<Record<string, string>>(
        'SELECT code_hash FROM sign_in_hand_overs',
      )
      expect(rows).to.not.be.empty
      expect(rows.every(({ code_hash }) => /^[\da-f]{64}$/.test(code_hash ?? ''))).to.equal(true)
      expect(JSON.stringify(rows)).not.to.include(code)
    })

    it('rejects an invalid code', async () => {
      const { status, body } = await scene.newBrowser().post('/api/auth/oauth/exchange', {})
      expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })
})
