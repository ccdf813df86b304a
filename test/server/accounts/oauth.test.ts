import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { enrolPasskey } from '../../builders/enrolPasskey.ts'
import { api } from '../../harness/api.ts'
import { type Arrival, type CookieBrowser, cookieBrowser } from '../../harness/cookieBrowser.ts'
import { type OpenIdProvider, openIdProvider, type ToldClaims } from '../../harness/openIdProvider.ts'
import { type StartedService, startService } from '../../harness/startService.ts'

const APP_URL = 'https://app.svc.test'
const PASSWORD = 'correct horse battery'
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('signing in at an identity provider', () => {
  const people: Record<string, ToldClaims> = {}
  const time = { offset: 0 }
  let google: OpenIdProvider
  let microsoft: OpenIdProvider
  let service: StartedService

  before(async () => {
    google = await openIdProvider(people)
    microsoft = await openIdProvider(people)
    service = await startService({
      settings: { APP_URL, ...google.settings('GOOGLE'), ...microsoft.settings('MICROSOFT') },
      clock: () => Date.now() + time.offset,
    })
    google.accept(`${APP_URL}/api/auth/oauth/google/callback`)
    microsoft.accept(`${APP_URL}/api/auth/oauth/microsoft/callback`)
  })
  after(async () => {
    await service.stop()
    await google.stop()
    await microsoft.stop()
  })

  /** A minute later, so that the budget of sign-ins of one address is another. */
  const newBrowser = () => {
    time.offset += 60_000
    return cookieBrowser({ url: APP_URL, baseUrl: service.baseUrl })
  }
  /** Somebody with an account at the providers. */
  const person = (claims: ToldClaims = {}) => {
    const login = `p${randomUUID().slice(0, 8)}`
    const told = { email: `${login}@gmail.com`, email_verified: true, name: 'Ada Lovelace', ...claims }
    people[login] = told
    return { login, email: told.email }
  }
  /** From the provider's form to the page of the dashboard. */
  const consent = async (browser: CookieBrowser, form: Arrival, login: string) => {
    const asked = await browser.submit(form, { prompt: 'login', login, password: 'any' })
    return asked.text === '' ? asked : browser.submit(asked, { prompt: 'consent' })
  }
  const arrive = async (browser: CookieBrowser, login: string, provider = 'google') =>
    consent(browser, await browser.visit(`/api/auth/oauth/${provider}`), login)
  const told = ({ url }: Arrival) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
  const exchange = (browser: CookieBrowser, code: string | undefined) =>
    browser.post('/api/auth/oauth/exchange', { code })
  const signIn = async (login: string, provider = 'google') => {
    const browser = newBrowser()
    const { code } = told(await arrive(browser, login, provider))
    return (await exchange(browser, code)).body.data
  }
  const register = async (email: string, isVerified = true): Promise<string> => {
    const body = { email, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
    const registered = await api(service.baseUrl, 'POST', '/api/auth/register', { body })
    expect(registered.status).to.equal(201)
    if (isVerified)
      await service.rows('UPDATE users SET email_verified_at = 1 WHERE email = ? RETURNING id', email)
    return registered.body.data.accessToken
  }
  const identities = async (bearer: string) =>
    (await api(service.baseUrl, 'GET', '/api/auth/oauth/identities', { bearer })).body.items
  const link = async (browser: CookieBrowser, bearer: string, login: string) => {
    const { status, body } = await browser.post('/api/auth/oauth/google/link', {}, bearer)
    expect(status, JSON.stringify(body)).to.equal(200)
    return told(await consent(browser, await browser.visit(body.url), login))
  }
  /** Turns an authenticator app on, and answers its codes, `steps` from now, with a way to post in the session. */
  const turnAppOn = async (bearer: string) => {
    const post = (path: string, body: object) => api(service.baseUrl, 'POST', path, { bearer, body })
    const { secret } = (await post('/api/auth/mfa/totp', {})).body
    const code = (steps: number) =>
      generateSync({ secret, epoch: Math.floor((Date.now() + time.offset) / 1000) + 30 * steps })
    expect((await post('/api/auth/mfa/totp/confirm', { code: code(0) })).status).to.equal(200)
    return { post, code }
  }

  it('is offered for the providers that are configured', async () => {
    const { status, body } = await api(service.baseUrl, 'GET', '/api/auth/methods')
    expect(status).to.equal(200)
    const oauth = [
      { provider: 'google', name: 'Google' },
      { provider: 'microsoft', name: 'Microsoft' },
    ]
    expect(body).to.deep.equal({
      success: true,
      methods: { password: true, passkey: true, siwe: true, oauth },
    })
  })

  it('answers 404 for a provider that is not there', async () => {
    for (const path of ['/api/auth/oauth/github', '/api/auth/oauth/github/callback?state=x']) {
      const { status, body } = await api(service.baseUrl, 'GET', path)
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
  })

  it('leaves with PKCE, a state and a nonce, and keeps them from scripts and other sites', async () => {
    const browser = newBrowser()
    const left = await browser.send(new URL('/api/auth/oauth/google', APP_URL))
    const to = new URL(left.headers.get('location') ?? '')
    expect(left.status).to.equal(302)
    expect(to.origin).to.equal(google.issuer)
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
      /^__Host-svc_oauth=v1\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(cookie).not.to.include(asked.state)
  })

  it('makes an account with a proven address, and finds it again', async () => {
    const { login, email } = person()
    const first = await signIn(login)
    expect(first.user).to.include({ email, isEmailVerified: true, fullName: 'Ada Lovelace' })
    const second = await signIn(login)
    expect(second.user.id).to.equal(first.user.id)
    const sessions = await api(service.baseUrl, 'GET', '/api/auth/sessions', { bearer: second.accessToken })
    expect(sessions.body.items[0].amr).to.deep.equal(['fed'])
    const [identity] = await identities(second.accessToken)
    expect(identity).to.include({ provider: 'google', issuer: google.issuer, email })
  })

  it('takes an address in the spelling of accounts', async () => {
    const { login } = person({ email: 'Grace.Hopper@GMAIL.com' })
    expect((await signIn(login)).user.email).to.equal('grace.hopper@gmail.com')
  })

  it('works with the other provider alike, where the domain is proven', async () => {
    const { login, email } = person({ email_verified: undefined, xms_edov: '1' })
    expect((await signIn(login, 'microsoft')).user).to.include({ email, isEmailVerified: true })
  })

  it('holds the same subject of two providers for two people', async () => {
    const { login } = person()
    const atGoogle = await signIn(login)
    people[login] = { email: `${login}@other.io`, xms_edov: true, name: 'Somebody else' }
    const atMicrosoft = await signIn(login, 'microsoft')
    expect(atMicrosoft.user.id).not.to.equal(atGoogle.user.id)
  })

  for (const [what, provider, claims] of [
    ['is not verified', 'google', { email_verified: false }],
    ['is verified in words only', 'google', { email_verified: 'true' }],
    ['is missing', 'google', { email: undefined }],
    ['is none', 'google', { email: 'nobody' }],
    ['Microsoft does not vouch for', 'microsoft', {}],
    ['Microsoft says is not its tenant’s', 'microsoft', { xms_edov: false }],
  ] as const) {
    it(`makes no account with an address that ${what}`, async () => {
      const { login } = person(claims)
      expect(told(await arrive(newBrowser(), login, provider))).to.deep.equal({ error: 'email_unverified' })
    })
  }

  describe('with an address that has an account', () => {
    for (const [what, provider, claims] of [
      ['Google hands out', 'google', {}],
      ['Google manages the domain of', 'google', { email: `ceo@a${randomUUID()}.io`, hd: undefined }],
      ['Microsoft hands out', 'microsoft', { xms_edov: true, tid: CONSUMERS }],
    ] as const) {
      it(`links an address that ${what}, and tells the owner`, async () => {
        const { login } = person(claims)
        const email =
          'email' in claims
            ? claims.email
            : `${login}@${provider === 'google' ? 'googlemail.com' : 'outlook.com'}`
        people[login] = { ...people[login], email, hd: email.split('@')[1] }
        const bearer = await register(email)
        const { user } = await signIn(login, provider)
        expect(user.id).to.equal((await api(service.baseUrl, 'GET', '/api/me', { bearer })).body.user.id)
        const mails = await service.rows<{ template: string }>(
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
      it(`takes no account over whose address ${what}`, async () => {
        const { login, email } = person(claims)
        const bearer = await register(email, isVerified)
        expect(told(await arrive(newBrowser(), login, provider))).to.deep.equal({ error: 'account_exists' })
        expect(await identities(bearer)).to.deep.equal([])
      })
    }
  })

  it('asks for the code of an authenticator app where one is on', async () => {
    const { login } = person()
    const { accessToken: bearer } = await signIn(login)
    const { post, code } = await turnAppOn(bearer)
    const browser = newBrowser()
    const asked = await exchange(browser, told(await arrive(browser, login)).code)
    expect(asked.body).to.include({ success: true, mfaRequired: true, expiresIn: 300 })
    expect(asked.body).not.to.have.property('data')
    const { interimToken } = asked.body
    const done = await post('/api/auth/mfa', { interimToken, code: code(1) })
    expect(done.body.data.user.email).to.equal(`${login}@gmail.com`)
  })

  describe('ends clearly', () => {
    it('when it is declined at the provider', async () => {
      const browser = newBrowser()
      const form = await browser.visit('/api/auth/oauth/google')
      const end = await browser.visit(`${form.url}/abort`)
      expect(told(end)).to.deep.equal({ error: 'access_denied' })
      expect(browser.cookiesOf(APP_URL).size).to.equal(0)
    })

    it('when the provider does not answer, and goes on once it does', async () => {
      const down = await openIdProvider(people)
      const other = await startService({ settings: { APP_URL, ...down.settings('GOOGLE') } })
      const browser = cookieBrowser({ url: APP_URL, baseUrl: other.baseUrl })
      try {
        const end = await browser.visit('/api/auth/oauth/google')
        expect(told(end)).to.deep.equal({ error: 'provider_unavailable' })
        down.accept(`${APP_URL}/api/auth/oauth/google/callback`)
        const { login } = person()
        expect(told(await arrive(browser, login))).to.have.property('code')
        const form = await browser.visit('/api/auth/oauth/google')
        expect(form.url.searchParams.has('error')).to.equal(false)
      } finally {
        await other.stop()
        await down.stop()
      }
    })

    /** The address that the provider sends a browser back to, without going there. */
    const returnOf = async (browser: CookieBrowser, login: string): Promise<URL> => {
      const form = await browser.visit('/api/auth/oauth/google')
      const fields = [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }]
      let url = form.url
      for (const field of fields) {
        const sent = await browser.send(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(field as Record<string, string>).toString(),
        })
        const resumed = new URL(sent.headers.get('location') ?? '', url)
        url = new URL((await browser.send(resumed)).headers.get('location') ?? '', resumed)
      }
      return url
    }

    it('for a forged state', async () => {
      const browser = newBrowser()
      const back = await returnOf(browser, person().login)
      back.searchParams.set('state', 'f'.repeat(43))
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('in another browser than it began in', async () => {
      const back = await returnOf(newBrowser(), person().login)
      const other = newBrowser()
      expect(told(await other.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
      await other.visit('/api/auth/oauth/google')
      expect(told(await other.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a cookie that was changed, or is of the other provider', async () => {
      const browser = newBrowser()
      const back = await returnOf(browser, person().login)
      const cookies = browser.cookiesOf(APP_URL)
      const [[name = '', sealed = ''] = []] = [...cookies]
      const at = sealed.length / 2
      cookies.set(name, `${sealed.slice(0, at)}${sealed.at(at) === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`)
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
      cookies.set(name, sealed)
      const other = back.href.replace('/google/', '/microsoft/')
      expect(told(await browser.visit(other))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a return that came before', async () => {
      const browser = newBrowser()
      const back = await returnOf(browser, person().login)
      const kept = new Map(browser.cookiesOf(APP_URL))
      expect(told(await browser.visit(back.href))).to.have.property('code')
      for (const [name, value] of kept) browser.cookiesOf(APP_URL).set(name, value)
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a return after ten minutes', async () => {
      const browser = newBrowser()
      const back = await returnOf(browser, person().login)
      time.offset += 10 * 60_000
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'state_mismatch' })
    })

    it('for a code that the provider did not give', async () => {
      const browser = newBrowser()
      const back = await returnOf(browser, person().login)
      back.searchParams.set('code', 'another')
      expect(told(await browser.visit(back.href))).to.deep.equal({ error: 'identity_rejected' })
    })
  })

  describe('hands over to the page', () => {
    it('once', async () => {
      const browser = newBrowser()
      const { code } = told(await arrive(browser, person().login))
      const kept = new Map(browser.cookiesOf(APP_URL))
      expect((await exchange(browser, code)).status).to.equal(200)
      for (const [name, value] of kept) browser.cookiesOf(APP_URL).set(name, value)
      const again = await exchange(browser, code)
      expect([again.status, again.body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('within a minute', async () => {
      const browser = newBrowser()
      const { code } = told(await arrive(browser, person().login))
      time.offset += 60_000
      const late = await exchange(browser, code)
      expect([late.status, late.body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('in no other browser', async () => {
      const { code } = told(await arrive(newBrowser(), person().login))
      const other = newBrowser()
      await arrive(other, person().login)
      for (const browser of [newBrowser(), other]) {
        const { status, body } = await exchange(browser, code)
        expect([status, body.code]).to.deep.equal([400, 'INVALID_TOKEN'])
      }
    })

    it('and keeps the code as its hash alone', async () => {
      const { code = '' } = told(await arrive(newBrowser(), person().login))
      const rows = await service.rows<Record<string, string>>('SELECT code_hash FROM sign_in_hand_overs')
      expect(rows.every(({ code_hash }) => /^[\da-f]{64}$/.test(code_hash ?? ''))).to.equal(true)
      expect(JSON.stringify(rows)).not.to.include(code)
    })

    it('refuses what is no code', async () => {
      const { status, body } = await newBrowser().post('/api/auth/oauth/exchange', {})
      expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })

  describe('from an account', () => {
    it('is linked to it, whatever address the provider tells', async () => {
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      const { login } = person({ email_verified: false })
      expect(await link(newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      expect(await link(newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      const own = await identities(bearer)
      expect(own).to.have.length(1)
      const me = await api(service.baseUrl, 'GET', '/api/me', { bearer })
      expect((await signIn(login)).user.id).to.equal(me.body.user.id)
    })

    it('is not linked when it is another account’s', async () => {
      const { login } = person()
      const theirs = await signIn(login)
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      expect(await link(newBrowser(), bearer, login)).to.deep.equal({ error: 'identity_taken' })
      expect((await signIn(login)).user.id).to.equal(theirs.user.id)
    })

    it('is not linked once the session has ended', async () => {
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      const browser = newBrowser()
      const { body } = await browser.post('/api/auth/oauth/google/link', {}, bearer)
      await api(service.baseUrl, 'POST', '/api/auth/logout-all', { bearer })
      const end = await consent(browser, await browser.visit(body.url), person().login)
      expect(told(end)).to.deep.equal({ error: 'session_ended' })
    })

    it('is not linked in a browser that was only given the address', async () => {
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      const { body } = await newBrowser().post('/api/auth/oauth/google/link', {}, bearer)
      const victim = newBrowser()
      const end = await consent(victim, await victim.visit(body.url), person().login)
      expect(told(end)).to.deep.equal({ error: 'state_mismatch' })
      expect(await identities(bearer)).to.deep.equal([])
    })

    it('wants a fresh passkey where there is one, to link and to unlink', async () => {
      const { login } = person()
      const { accessToken: bearer } = await signIn(login)
      const [own] = await identities(bearer)
      await enrolPasskey(service.baseUrl, bearer, APP_URL)
      for (const [method, path] of [
        ['POST', '/api/auth/oauth/google/link'],
        ['DELETE', `/api/auth/oauth/identities/${own.id}`],
      ] as const) {
        const body = method === 'POST' ? { body: {} } : {}
        const { status, body: answer } = await api(service.baseUrl, method, path, { bearer, ...body })
        expect([status, answer.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      }
    })

    it('is taken from it, and signs in to it no more', async () => {
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      const { login, email } = person()
      await link(newBrowser(), bearer, login)
      const me = (await api(service.baseUrl, 'GET', '/api/me', { bearer })).body.user
      const browser = newBrowser()
      const { code } = told(await arrive(browser, login))
      const [own] = await identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      expect((await api(service.baseUrl, 'DELETE', path, { bearer })).status).to.equal(200)
      expect((await exchange(browser, code)).status).to.equal(400)
      const anew = await signIn(login)
      expect(anew.user.email).to.equal(email)
      expect(anew.user.id).not.to.equal(me.id)
    })

    it('ends, when it is taken, the sessions that it opened and no others, with a code of an app or without', async () => {
      const { login, email } = person({ hd: 'gmail.com' })
      const bearer = await register(email)
      expect(await link(newBrowser(), bearer, login)).to.deep.equal({ linked: 'google' })
      const plain = (await signIn(login)).accessToken
      const { post, code } = await turnAppOn(bearer)
      const browser = newBrowser()
      const { interimToken } = (await exchange(browser, told(await arrive(browser, login)).code)).body
      const coded = (await post('/api/auth/mfa', { interimToken, code: code(1) })).body.data.accessToken
      const statuses = () =>
        Promise.all(
          [plain, coded, bearer].map(
            async (one) => (await api(service.baseUrl, 'GET', '/api/me', { bearer: one })).status,
          ),
        )
      expect(await statuses()).to.deep.equal([200, 200, 200])
      const [own] = await identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      expect((await api(service.baseUrl, 'DELETE', path, { bearer })).status).to.equal(200)
      expect(await statuses()).to.deep.equal([401, 401, 200])
    })

    it('is never taken as the last way to sign in', async () => {
      const { accessToken: bearer } = await signIn(person().login)
      const [own] = await identities(bearer)
      const path = `/api/auth/oauth/identities/${own.id}`
      const { status, body } = await api(service.baseUrl, 'DELETE', path, { bearer })
      expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
      expect(await identities(bearer)).to.have.length(1)
    })

    it('is not shown to, or taken by, another account', async () => {
      const { accessToken } = await signIn(person().login)
      const [theirs] = await identities(accessToken)
      const bearer = await register(`owner.${randomUUID()}@acme.io`)
      const path = `/api/auth/oauth/identities/${theirs.id}`
      const { status, body } = await api(service.baseUrl, 'DELETE', path, { bearer })
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
      expect(await identities(accessToken)).to.have.length(1)
    })
  })
})
