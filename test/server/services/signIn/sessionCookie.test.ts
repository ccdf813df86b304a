import { expect } from 'chai'
import { APP_URL, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'

const ASK = { 'X-Svc-Session': 'cookie' }
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }
const NAME = '__Host-svc_refresh'

describe('the refresh token in a cookie', () => {
  let accounts: OpenAccounts
  let ada: Person
  before(async () => {
    accounts = await openAccounts()
    ada = await register(accounts, 'ada')
  })
  after(() => accounts.close())

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    accounts.call('POST', path, { body, headers })
  const logIn = (headers: Record<string, string>) =>
    post('/api/auth/login', { email: ada.email, password: PASSWORD }, headers)
  const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const logInWithCookie = async () => {
    const answer = await logIn(ASK)
    return { accessToken: answer.body.data.accessToken as string, cookie: cookieOf(answer) }
  }
  const use = (path: string, cookie: string, headers: Record<string, string> = SAME_ORIGIN) =>
    post(path, {}, { ...ASK, ...headers, Cookie: cookie })
  const me = (bearer: string) => accounts.call('GET', '/api/me', { bearer })

  it('is set only for a sign-in that asks for it, and then the body has none', async () => {
    const plain = await logIn({})
    expect(plain.headers.getSetCookie()).to.deep.equal([])
    expect(plain.body.data).to.have.property('refreshToken')
    const asked = await logIn(ASK)
    expect(asked.body.data).to.have.all.keys('accessToken', 'expiresIn', 'user')
    expect(asked.headers.getSetCookie()).to.have.length(1)
  })

  it('is set by a registration too', async () => {
    const body = { email: 'new@example.org', password: PASSWORD, fullName: 'New', accountType: 'individual' }
    const { status, headers } = await post('/api/auth/register', body, ASK)
    expect([status, headers.getSetCookie().length]).to.deep.equal([201, 1])
  })

  it('is bound to the host, unreadable by scripts and never sent from another site over HTTPS', async () => {
    const [cookie = ''] = (await logIn(ASK)).headers.getSetCookie()
    expect(cookie).to.match(
      /^__Host-svc_refresh=svc_rt_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  it('rotates like one in the body', async () => {
    const { cookie } = await logInWithCookie()
    const refreshed = await use('/api/auth/refresh', cookie)
    expect(refreshed.status).to.equal(200)
    expect(refreshed.body.data).not.to.have.property('refreshToken')
    expect(cookieOf(refreshed))
      .to.match(/^__Host-svc_refresh=svc_rt_/)
      .and.not.equal(cookie)
    expect((await me(refreshed.body.data.accessToken)).status).to.equal(200)
    expect(cookieOf(await use('/api/auth/refresh', cookie))).to.equal(cookieOf(refreshed))
  })

  it('takes over a session whose token is in the body', async () => {
    const { refreshToken } = (await logIn({})).body.data
    const moved = await post('/api/auth/refresh', { refreshToken }, ASK)
    expect([moved.status, cookieOf(moved).split('=')[0]]).to.deep.equal([200, NAME])
  })

  it('is deleted by a sign-out, which ends the session', async () => {
    const { accessToken, cookie } = await logInWithCookie()
    const left = await use('/api/auth/logout', cookie)
    expect([left.status, left.body]).to.deep.equal([200, { success: true }])
    expect(left.headers.getSetCookie()[0]).to.match(/^__Host-svc_refresh=; Path=\/; Max-Age=0; /)
    expect((await me(accessToken)).status).to.equal(401)
    const again = await use('/api/auth/refresh', cookie)
    expect([again.status, again.body.message]).to.deep.equal([401, 'You have signed out.'])
  })

  it('is read by no other operation', async () => {
    const { cookie } = await logInWithCookie()
    const headers = { ...ASK, ...SAME_ORIGIN, Cookie: cookie }
    for (const path of ['/api/me', '/api/auth/sessions']) {
      const answer = await accounts.call('GET', path, { headers })
      expect([answer.status, answer.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
    }
    expect((await accounts.call('POST', '/api/auth/logout-all', { headers })).status).to.equal(401)
  })

  it('is not read unless the request asks for it', async () => {
    const { cookie } = await logInWithCookie()
    for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
      const answer = await post(path, {}, { ...SAME_ORIGIN, Cookie: cookie })
      expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
    expect((await use('/api/auth/refresh', cookie)).status).to.equal(200)
  })

  it('is asked for without an error by a browser that has none', async () => {
    for (const cookie of ['', `${NAME}=`, 'svc_refresh=svc_rt_x']) {
      const answer = await use('/api/auth/refresh', cookie)
      expect([answer.status, answer.body]).to.deep.equal([200, { success: true, data: null }])
      expect(answer.headers.getSetCookie()).to.deep.equal([])
    }
  })

  describe('from a page of another origin', () => {
    const FOREIGN: [name: string, headers: Record<string, string>][] = [
      ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' }],
      ['a neighbouring host', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.svc.test' }],
      ['another site in an older browser', { Origin: 'https://evil.test' }],
      ['a host that begins like ours', { Origin: `${APP_URL}.evil.test` }],
      ['our host without encryption', { Origin: APP_URL.replace('https', 'http') }],
      ['an opaque origin', { Origin: 'null' }],
      ['an unknown origin', {}],
      ['a lie about the origin', { 'Sec-Fetch-Site': 'cross-site', Origin: APP_URL }],
    ]
    for (const [name, headers] of FOREIGN) {
      it(`neither refreshes nor signs out: ${name}`, async () => {
        const { accessToken, cookie } = await logInWithCookie()
        for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
          const answer = await use(path, cookie, headers)
          expect([answer.status, answer.body.code]).to.deep.equal([403, 'FORBIDDEN'])
          expect(answer.headers.getSetCookie()).to.deep.equal([])
        }
        expect((await me(accessToken)).status).to.equal(200)
        expect((await use('/api/auth/refresh', cookie)).status).to.equal(200)
      })
    }

    it('but it works for our own pages in an older browser', async () => {
      const { cookie } = await logInWithCookie()
      expect((await use('/api/auth/refresh', cookie, { Origin: APP_URL })).status).to.equal(200)
    })
  })

  describe('over plain HTTP', () => {
    let plain: OpenAccounts
    before(async () => {
      plain = await openAccounts({ appUrl: 'http://localhost:3000' })
    })
    after(() => plain.close())

    it('works without what only HTTPS allows, under a name of the port', async () => {
      const { email } = await register(plain, 'bob')
      const login = { body: { email, password: PASSWORD }, headers: ASK }
      const [cookie = ''] = (await plain.call('POST', '/api/auth/login', login)).headers.getSetCookie()
      expect(cookie).to.match(
        /^svc_refresh_3000=svc_rt_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
      )
      const headers = { ...ASK, Origin: 'http://localhost:3000', Cookie: cookie.split(';')[0] ?? '' }
      expect((await plain.call('POST', '/api/auth/refresh', { body: {}, headers })).status).to.equal(200)
    })
  })
})
