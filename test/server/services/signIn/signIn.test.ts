import { isDeveloperIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import { type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const GRACE_MS = 30_000

describe('signing in', () => {
  let accounts: OpenAccounts
  let ada: Person

  before(async () => {
    accounts = await openAccounts()
    ada = await register(accounts, 'ada')
  })
  after(() => accounts.close())

  const post = (path: string, body?: unknown) => accounts.call('POST', path, { body })
  const logIn = async () =>
    (await post('/api/auth/login', { email: ada.email, password: PASSWORD })).body.data
  const me = (bearer: string) => accounts.call('GET', '/api/me', { bearer })

  describe('register', () => {
    const registration = {
      email: 'grace@example.org',
      password: PASSWORD,
      fullName: 'Grace Hopper',
      accountType: 'business',
    }

    it('returns 201 with a session and an account with a developer identifier', async () => {
      const { status, body } = await post('/api/auth/register', registration)
      expect(status).to.equal(201)
      expect(body.success).to.equal(true)
      expect(body.data.expiresIn).to.equal(900)
      expect(body.data.refreshToken).to.match(/^svc_rt_[\w-]{43}$/)
      const { id, developerId, createdAt, ...user } = body.data.user
      expect(user).to.deep.equal({
        email: 'grace@example.org',
        isEmailVerified: false,
        fullName: 'Grace Hopper',
        accountType: 'business',
        role: 'user',
        kydStatus: 'none',
      })
      expect(isDeveloperIdentifier(developerId)).to.equal(true)
      expect(id).to.match(/^[0-9a-f-]{36}$/)
      expect(createdAt).to.equal('2026-03-02T09:00:00.000Z')
    })

    it('accepts an e-mail address once, however it is spelled', async () => {
      const { status, body } = await post('/api/auth/register', {
        ...registration,
        email: ' Grace@Example.ORG ',
      })
      expect([status, body.code]).to.deep.equal([409, 'EMAIL_TAKEN'])
    })

    it('accepts one of two concurrent registrations of an address', async () => {
      const both = { ...registration, email: 'twin@example.org' }
      const answers = await Promise.all([post('/api/auth/register', both), post('/api/auth/register', both)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409])
      const [row] = await accounts.db.query('users').count({ users: 'id' }).where({ email: both.email })
      expect(row?.users).to.equal(1)
    })

    for (const [what, change, pointer] of [
      ['an address that is none', { email: 'nobody' }, '/email'],
      ['an address of 300 characters', { email: `${'a'.repeat(290)}@e.example` }, '/email'],
      ['a password of 9 characters', { password: '123456789' }, '/password'],
      ['a password of 201 characters', { password: 'x'.repeat(201) }, '/password'],
      ['the e-mail address as password', { password: 'GRACE@example.org' }, '/password'],
      ['the name as password', { password: 'grace  hopper', fullName: 'Grace  Hopper' }, '/password'],
      ['an empty name', { fullName: '  ' }, '/fullName'],
      ['a name with a line break', { fullName: 'Grace\nHopper' }, '/fullName'],
      ['another type of account', { accountType: 'robot' }, '/accountType'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { status, body, text } = await post('/api/auth/register', { ...registration, ...change })
        expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(body.errors[0].pointer).to.equal(pointer)
        if ('password' in change) expect(text).not.to.include(change.password)
      })
    }
  })

  describe('login', () => {
    it('returns a session of the account', async () => {
      const { accessToken, user } = await logIn()
      expect(user.id).to.equal(ada.userId)
      expect((await me(accessToken)).body.user).to.deep.equal(user)
    })

    it('responds identically to an unknown address and a wrong password', async () => {
      const attempts = [
        { email: ada.email, password: 'not the password' },
        { email: 'nobody@example.org', password: PASSWORD },
      ]
      const answers = await Promise.all(attempts.map((attempt) => post('/api/auth/login', attempt)))
      for (const { status, body } of answers) {
        expect([status, body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
        expect(body.message).to.equal('The e-mail address or the password is wrong.')
      }
    })

    it('recognises a password in another Unicode form', async () => {
      const typed = { email: 'noel@example.org', password: 'Ame\u0301lie is here' }
      const registration = { ...typed, fullName: 'Noel', accountType: 'individual' }
      expect((await post('/api/auth/register', registration)).status).to.equal(201)
      const { status } = await post('/api/auth/login', { ...typed, password: 'Am\u00e9lie is here' })
      expect(status).to.equal(200)
    })

    it('refuses the eleventh attempt on an account in 15 minutes, even with the correct password', async () => {
      const bob = await register(accounts, 'bob')
      const wrong = { email: bob.email, password: 'not the password' }
      for (let i = 0; i < 10; i++) expect((await post('/api/auth/login', wrong)).status).to.equal(401)
      const refused = await post('/api/auth/login', { email: bob.email, password: PASSWORD })
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
      expect(refused.headers.get('retry-after')).to.equal('900')
      accounts.time.now += 15 * 60 * 1000
      const later = await post('/api/auth/login', { email: bob.email, password: PASSWORD })
      expect(later.status).to.equal(200)
    })

    for (const body of [{}, { email: 'ada@example.org' }, { email: 7, password: PASSWORD }, []]) {
      it(`refuses the body ${JSON.stringify(body)}`, async () => {
        expect((await post('/api/auth/login', body)).body.code).to.equal('VALIDATION_ERROR')
      })
    }
  })

  describe('refresh', () => {
    it('returns the next pair of tokens', async () => {
      const first = await logIn()
      const { status, body } = await post('/api/auth/refresh', { refreshToken: first.refreshToken })
      expect(status).to.equal(200)
      expect(body.data.refreshToken).not.to.equal(first.refreshToken)
      expect((await me(body.data.accessToken)).status).to.equal(200)
    })

    it('returns the same next token again for 30 seconds, while that one is unused', async () => {
      const { refreshToken } = await logIn()
      const second = (await post('/api/auth/refresh', { refreshToken })).body.data
      accounts.time.now += GRACE_MS
      const again = await post('/api/auth/refresh', { refreshToken })
      expect(again.body.data.refreshToken).to.equal(second.refreshToken)
      for (const { accessToken } of [second, again.body.data]) {
        expect((await me(accessToken)).status).to.equal(200)
      }
    })

    it('returns the same next token to concurrent uses', async () => {
      const { refreshToken } = await logIn()
      const uses = await Promise.all([1, 2, 3].map(() => post('/api/auth/refresh', { refreshToken })))
      const issued = new Set(uses.map(({ body }) => body.data.refreshToken))
      expect(issued.size).to.equal(1)
    })

    for (const [name, lateMs, usesNext] of [
      ['after 30 seconds', 30_001, false],
      ['when the next one has been used', 0, true],
    ] as const) {
      it(`ends the whole family when a refresh token is reused ${name}`, async () => {
        const first = await logIn()
        const second = (await post('/api/auth/refresh', { refreshToken: first.refreshToken })).body.data
        const { refreshToken } = usesNext
          ? (await post('/api/auth/refresh', { refreshToken: second.refreshToken })).body.data
          : second
        accounts.time.now += lateMs
        expect((await me(second.accessToken)).status).to.equal(200)
        const reused = await post('/api/auth/refresh', { refreshToken: first.refreshToken })
        expect([reused.status, reused.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
        expect(reused.body.message).to.include('used twice')
        const next = await post('/api/auth/refresh', { refreshToken })
        expect([next.status, next.body.message]).to.deep.equal([401, reused.body.message])
        for (const { accessToken } of [first, second]) expect((await me(accessToken)).status).to.equal(401)
      })
    }

    it('does not affect other sessions of the account', async () => {
      const [ended, other] = [await logIn(), await logIn()]
      await post('/api/auth/refresh', { refreshToken: ended.refreshToken })
      accounts.time.now += GRACE_MS + 1
      expect((await post('/api/auth/refresh', { refreshToken: ended.refreshToken })).status).to.equal(401)
      expect((await me(other.accessToken)).status).to.equal(200)
    })

    it('refuses a refresh token after 30 days', async () => {
      const { refreshToken } = await logIn()
      accounts.time.now += 30 * DAY_MS
      const { status, body } = await post('/api/auth/refresh', { refreshToken })
      expect([status, body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
      expect(body.message).to.include('not used for 30 days')
    })

    for (const refreshToken of ['svc_rt_unknown', 'x']) {
      it(`refuses ${refreshToken}`, async () => {
        const { status, body } = await post('/api/auth/refresh', { refreshToken })
        expect([status, body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
      })
    }

    it('refuses a body without a token', async () => {
      expect((await post('/api/auth/refresh', {})).body.code).to.equal('VALIDATION_ERROR')
    })
  })

  describe('logout', () => {
    it('ends the session: its access token and its refresh token', async () => {
      const { accessToken, refreshToken } = await logIn()
      expect((await me(accessToken)).status).to.equal(200)
      expect((await post('/api/auth/logout', { refreshToken })).body).to.deep.equal({ success: true })
      expect((await me(accessToken)).body.code).to.equal('UNAUTHENTICATED')
      expect((await post('/api/auth/refresh', { refreshToken })).status).to.equal(401)
    })

    it('treats an unknown token like any other', async () => {
      const { status, body } = await post('/api/auth/logout', { refreshToken: 'svc_rt_unknown' })
      expect([status, body]).to.deep.equal([200, { success: true }])
    })

    it('refuses a body without a token', async () => {
      expect((await post('/api/auth/logout')).body.code).to.equal('VALIDATION_ERROR')
    })
  })

  it('stores no password, no refresh token and no access token, and logs none', async () => {
    const { refreshToken: first } = await logIn()
    const { accessToken, refreshToken } = (await post('/api/auth/refresh', { refreshToken: first })).body.data
    const tables = ['users', 'sessions', 'refresh_tokens']
    const rows = await Promise.all(tables.map((table) => accounts.db.query(table).select()))
    const kept = JSON.stringify([rows, accounts.logged])
    for (const secret of [PASSWORD, accessToken, first, refreshToken]) expect(kept).not.to.include(secret)
  })
})
