import { expect } from 'chai'
import { mailsTo } from '../accounts/mailsTo.ts'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'
import { raiseWithPasskey } from './raiseWithPasskey.ts'

const MINUTE_MS = 60 * 1000
const NEXT = 'plinth ocarina 77'

describe('a password', () => {
  let accounts: OpenAccounts
  let person: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    accounts.changed.length = 0
    person = await register(accounts, `owner${people}`)
  })

  const post = (path: string, body: object) => accounts.call('POST', path, { body })
  const logIn = (password: string) => post('/api/auth/login', { email: person.email, password })
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const forgot = (email: string) => post('/api/auth/password/forgot', { email })
  const reset = (token: unknown, password = NEXT) => post('/api/auth/password/reset', { token, password })
  const resetToken = async () => {
    await forgot(person.email)
    return (await mailsTo(accounts, person.email, 'reset_password')).at(-1)?.token ?? ''
  }
  const notices = () => mailsTo(accounts, person.email, 'password_changed')

  describe('when it was forgotten', () => {
    it('can be replaced with the mailed token', async () => {
      expect((await reset(await resetToken())).body).to.deep.equal({ success: true })
      expect((await logIn(PASSWORD)).status).to.equal(401)
      expect((await logIn(NEXT)).status).to.equal(200)
    })

    it('is reset through a mailed link to the dashboard', async () => {
      const token = await resetToken()
      const [mail] = await mailsTo(accounts, person.email, 'reset_password')
      expect(mail?.link).to.equal(`${APP_URL}/reset-password?token=${token}`)
    })

    it('gets the same response whether or not there is an account, without a mail to nobody', async () => {
      const [known, unknown] = [await forgot(person.email), await forgot(`nobody${people}@example.org`)]
      expect([known.status, known.body]).to.deep.equal([202, { success: true }])
      expect([unknown.status, unknown.body]).to.deep.equal([known.status, known.body])
      expect([...unknown.headers.keys()]).to.deep.equal([...known.headers.keys()])
      expect(await mailsTo(accounts, `nobody${people}@example.org`)).to.deep.equal([])
    })

    it('costs the same statements whether or not there is an account', async () => {
      const statements: string[] = []
      accounts.db.query.on('query', ({ sql }: { sql: string }) => statements.push(sql))
      const written = async (email: string) => {
        statements.length = 0
        await forgot(email)
        return [...statements]
      }
      const known = await written(person.email)
      expect(known.some((sql) => sql.includes('mailed_tokens'))).to.equal(true)
      expect(await written('somebody.else@example.org')).to.deep.equal(known)
    })

    it('ends every session when replaced, and the owner is notified', async () => {
      await reset(await resetToken())
      expect((await person.call('GET', '/api/me')).status).to.equal(401)
      const { refreshToken } = person
      expect((await post('/api/auth/refresh', { refreshToken })).status).to.equal(401)
      expect(await notices()).to.have.length(1)
    })

    it('leaves no session to a concurrent sign-in with the old one', async () => {
      const token = await resetToken()
      const [changed, ...signIns] = await Promise.all([
        reset(token),
        ...[1, 2, 3, 4].map(() => logIn(PASSWORD)),
      ])
      expect(changed.status).to.equal(200)
      for (const { status, body } of signIns) {
        if (status !== 200) continue
        const bearer = body.data.accessToken
        expect((await accounts.call('GET', '/api/me', { bearer })).status).to.equal(401)
      }
    })

    it('verifies the address, because the token was mailed there', async () => {
      await reset(await resetToken())
      expect(accounts.changed).to.deep.equal([person.userId])
      expect((await logIn(NEXT)).body.data.user.isEmailVerified).to.equal(true)
    })

    it('can be replaced once per token', async () => {
      const token = await resetToken()
      const answers = await Promise.all([reset(token), reset(token)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
      expect(outcome(await reset(token))).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('can be replaced within an hour', async () => {
      const token = await resetToken()
      accounts.time.now += 60 * MINUTE_MS
      expect(outcome(await reset(token))).to.deep.equal([400, 'INVALID_TOKEN'])
    })

    it('has one valid token: a new one replaces the first', async () => {
      const first = await resetToken()
      const second = await resetToken()
      expect(outcome(await reset(first))).to.deep.equal([400, 'INVALID_TOKEN'])
      expect((await reset(second)).status).to.equal(200)
    })

    it('keeps its token if the new password is rejected', async () => {
      const token = await resetToken()
      expect(outcome(await reset(token, 'password12345'))).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect((await reset(token)).status).to.equal(200)
    })

    it('is limited to five mails an hour; further requests get the same response and keep the last link valid', async () => {
      for (let nth = 0; nth < 5; nth += 1) await forgot(person.email)
      const { status, body } = await forgot(person.email)
      expect([status, body]).to.deep.equal([202, { success: true }])
      const mails = await mailsTo(accounts, person.email, 'reset_password')
      expect(mails).to.have.length(5)
      expect((await reset(mails.at(-1)?.token)).status).to.equal(200)
    })

    for (const body of [
      {},
      { token: 'x' },
      { token: 7, password: NEXT },
      { token: 'x', password: 'short' },
    ]) {
      it(`cannot be replaced with ${JSON.stringify(body)}`, async () => {
        expect((await post('/api/auth/password/reset', body)).body.code).to.equal('VALIDATION_ERROR')
      })
    }

    it('requires an address for the reset', async () => {
      expect(outcome(await forgot('nobody'))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })

  describe('when it is changed', () => {
    const change = (body: object, headers: Record<string, string> = {}) =>
      accounts.call('POST', '/api/auth/password/change', { bearer: person.accessToken, body, headers })

    it('requires the current one, ends the other sessions and notifies the owner', async () => {
      const other = (await logIn(PASSWORD)).body.data.accessToken
      const { status } = await change({ currentPassword: PASSWORD, newPassword: NEXT })
      expect(status).to.equal(200)
      expect((await accounts.call('GET', '/api/me', { bearer: other })).status).to.equal(401)
      expect((await person.call('GET', '/api/me')).status).to.equal(200)
      expect((await logIn(NEXT)).status).to.equal(200)
      expect(await notices()).to.have.length(1)
    })

    it('invalidates links to replace it', async () => {
      const token = await resetToken()
      expect((await change({ currentPassword: PASSWORD, newPassword: NEXT })).status).to.equal(200)
      expect(outcome(await reset(token, 'gable obelisk 31'))).to.deep.equal([400, 'INVALID_TOKEN'])
      expect((await logIn(NEXT)).status).to.equal(200)
    })

    it('is changed by one of two sessions that both know the current one', async () => {
      const other = (await logIn(PASSWORD)).body.data.accessToken
      const body = (newPassword: string) => ({ currentPassword: PASSWORD, newPassword })
      const [own, others] = await Promise.all([
        change(body(NEXT)),
        accounts.call('POST', '/api/auth/password/change', { bearer: other, body: body('gable obelisk 31') }),
      ])
      expect([own.status, others.status].sort()).to.deep.equal([200, 401])
      const good = own.status === 200 ? NEXT : 'gable obelisk 31'
      expect((await logIn(good)).status).to.equal(200)
    })

    it('is changed once by concurrent requests of one session', async () => {
      const answers = await Promise.all(
        [NEXT, 'gable obelisk 31'].map((newPassword) => change({ currentPassword: PASSWORD, newPassword })),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
    })

    it('is kept for a wrong one, ten times, and then not checked any more', async () => {
      const wrong = { currentPassword: 'not the password', newPassword: NEXT }
      for (let nth = 0; nth < 10; nth += 1) {
        const { status, body } = await change(wrong)
        expect([status, body.errors[0].pointer]).to.deep.equal([400, '/currentPassword'])
      }
      const refused = await change({ currentPassword: PASSWORD, newPassword: NEXT })
      expect(outcome(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect((await logIn(PASSWORD)).status).to.equal(200)
    })

    it('requires a fresh passkey without it', async () => {
      expect(outcome(await change({ newPassword: NEXT }))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const elevation = await raiseWithPasskey(accounts, person)
      expect((await change({ newPassword: NEXT }, elevation)).status).to.equal(200)
    })

    it('is validated like the first', async () => {
      const { status, body } = await change({ currentPassword: PASSWORD, newPassword: 'qwertyuiop12' })
      expect([status, body.errors[0].pointer, body.errors[0].code]).to.deep.equal([
        400,
        '/newPassword',
        'sequence',
      ])
    })

    it('requires a new one', async () => {
      expect(outcome(await change({ currentPassword: PASSWORD }))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })
  })

  for (const password of ['password12345', '1234567890', 'aaaaaaaaaaaa', 'Grace Hopper 1']) {
    it(`rejects ${password}`, async () => {
      const registration = { email: 'grace@example.org', fullName: 'Grace Hopper', accountType: 'individual' }
      const { status, body } = await post('/api/auth/register', { ...registration, password })
      expect([status, body.errors[0].pointer]).to.deep.equal([400, '/password'])
    })
  }
})
