import { expect } from 'chai'
import { type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('sessions', () => {
  let accounts: OpenAccounts
  let person: Person
  let stranger: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
    stranger = await register(accounts, 'stranger')
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    person = await register(accounts, `person${people}`)
  })

  const logIn = async (headers = {}) => {
    const body = { email: person.email, password: PASSWORD }
    return (await accounts.call('POST', '/api/auth/login', { body, headers })).body.data
  }
  const me = (bearer: string) => accounts.call('GET', '/api/me', { bearer })
  const list = async (query = '') => (await person.call('GET', `/api/auth/sessions${query}`)).body

  it('are listed with where and how they were opened', async () => {
    accounts.time.now += 1000
    await logIn({ 'User-Agent': FIREFOX })
    const { items, hasMore } = await list()
    expect(hasMore).to.equal(false)
    expect(items.map(({ id: _, ...session }: { id: string }) => session)).to.deep.equal([
      {
        isCurrent: false,
        amr: ['pwd'],
        browser: 'Firefox on Linux',
        network: '127.0.0.0/24',
        signedInAt: new Date(accounts.time.now).toISOString(),
        lastUsedAt: new Date(accounts.time.now).toISOString(),
      },
      {
        isCurrent: true,
        amr: ['pwd'],
        browser: null,
        network: '127.0.0.0/24',
        signedInAt: new Date(accounts.time.now - 1000).toISOString(),
        lastUsedAt: new Date(accounts.time.now - 1000).toISOString(),
      },
    ])
  })

  it('are listed in pages', async () => {
    for (let nth = 0; nth < 2; nth += 1) await logIn()
    const first = await list('?limit=2')
    expect([first.items.length, first.hasMore]).to.deep.equal([2, true])
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect([rest.items.length, rest.hasMore]).to.deep.equal([1, false])
  })

  it('report when and where they were last renewed', async () => {
    const { refreshToken } = await logIn()
    accounts.time.now += 60_000
    const headers = { 'User-Agent': FIREFOX }
    await accounts.call('POST', '/api/auth/refresh', { body: { refreshToken }, headers })
    const [renewed] = (await list()).items
    expect(renewed.browser).to.equal('Firefox on Linux')
    expect(Date.parse(renewed.lastUsedAt) - Date.parse(renewed.signedInAt)).to.equal(60_000)
  })

  it('disappear from the list when they can no longer be renewed', async () => {
    const { accessToken } = await logIn()
    accounts.time.now += 30 * DAY_MS
    const later = await logIn()
    const { body } = await accounts.call('GET', '/api/auth/sessions', { bearer: later.accessToken })
    expect(body.items).to.have.length(1)
    expect((await me(accessToken)).status).to.equal(401)
  })

  it('store neither the full user agent nor the full address', async () => {
    await logIn({ 'User-Agent': FIREFOX })
    const rows = await accounts.db.query('sessions').select().where({ user_id: person.userId })
    expect(JSON.stringify(rows)).not.to.match(/Gecko|140\.0|127\.0\.0\.1/)
  })

  it('end individually and immediately', async () => {
    const other = await logIn()
    expect((await me(other.accessToken)).status).to.equal(200)
    const { id } = (await list()).items.find((item: { isCurrent: boolean }) => !item.isCurrent)
    const { status, body } = await person.call('DELETE', `/api/auth/sessions/${id}`)
    expect([status, body]).to.deep.equal([200, { success: true, id }])
    expect((await me(other.accessToken)).status).to.equal(401)
    const { refreshToken } = other
    const refreshed = await accounts.call('POST', '/api/auth/refresh', { body: { refreshToken } })
    expect([refreshed.status, refreshed.body.message]).to.deep.equal([
      401,
      'This session was ended from another device.',
    ])
    expect((await person.call('DELETE', `/api/auth/sessions/${id}`)).status).to.equal(404)
  })

  it('say why they have ended, whichever way it was', async () => {
    const reasonAfter = async (end: () => Promise<unknown>) => {
      const { refreshToken } = await logIn()
      await end()
      return (await accounts.call('POST', '/api/auth/refresh', { body: { refreshToken } })).body.message
    }
    const change = { currentPassword: PASSWORD, newPassword: PASSWORD }
    expect(await reasonAfter(() => person.call('POST', '/api/auth/password/change', change))).to.equal(
      'The password was changed, which ended this session.',
    )
    expect(await reasonAfter(() => person.call('POST', '/api/auth/logout-all'))).to.equal(
      'You have been signed out on all devices.',
    )
  })

  it('cannot be ended by others', async () => {
    const [{ id }] = (await list()).items
    const other = await register(accounts, `other${people}`)
    for (const named of [id, 'unknown']) {
      const { status, body } = await other.call('DELETE', `/api/auth/sessions/${named}`)
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
    expect((await person.call('GET', '/api/me')).status).to.equal(200)
  })

  it('end all at once, but not those of others', async () => {
    const others = [await logIn(), await logIn()]
    for (const { accessToken } of others) expect((await me(accessToken)).status).to.equal(200)
    const { status, body } = await person.call('POST', '/api/auth/logout-all')
    expect([status, body]).to.deep.equal([200, { success: true, endedSessions: 3 }])
    for (const bearer of [person.accessToken, ...others.map(({ accessToken }) => accessToken)]) {
      expect((await me(bearer)).status).to.equal(401)
    }
    const fresh = await accounts.call('POST', '/api/auth/login', {
      body: { email: stranger.email, password: PASSWORD },
    })
    expect((await me(fresh.body.data.accessToken)).status).to.equal(200)
  })
})
