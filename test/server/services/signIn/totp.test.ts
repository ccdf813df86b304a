import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { mailsTo } from '../accounts/mailsTo.ts'
import { type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { type Person, register } from '../accounts/person.ts'
import { enrolTotp, STEP_MS, type TotpPerson } from './enrolTotp.ts'
import { raiseWithPasskey } from './raiseWithPasskey.ts'

const MINUTE_MS = 60_000

describe('an authenticator app', () => {
  let accounts: OpenAccounts
  let person: Person
  let app: TotpPerson
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    app = await enrolTotp(accounts, `person${people}`)
    person = app.person
    accounts.changed.length = 0
  })

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const post = (path: string, body: object) => accounts.call('POST', path, { body })

  describe('enrolment', () => {
    it('returns a secret that apps can read and ten recovery codes', () => {
      expect(app.enrolled.secret).to.match(/^[A-Z2-7]{32}$/)
      const url = new URL(app.enrolled.otpauthUrl)
      expect(url.protocol).to.equal('otpauth:')
      expect(url.searchParams.get('secret')).to.equal(app.enrolled.secret)
      expect(new Set(app.enrolled.recoveryCodes).size).to.equal(10)
      for (const one of app.enrolled.recoveryCodes) expect(one).to.match(/^(\w{4}-){3}\w{4}$/)
    })

    it('requires no codes before the first one', async () => {
      expect((await app.logIn()).body.data.accessToken).to.be.a('string')
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: false,
        recoveryCodesLeft: 0,
      })
      expect(accounts.changed).to.deep.equal([])
    })

    it('is completed by the first code, counts in the trust score and is reported by mail', async () => {
      expect((await app.confirm()).body).to.deep.equal({ success: true })
      expect(accounts.changed).to.deep.equal([person.userId])
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: true,
        recoveryCodesLeft: 10,
      })
      expect(await mailsTo(accounts, person.email, 'totp_changed')).to.have.length(1)
    })

    it('is not completed by a wrong code or a recovery code', async () => {
      for (const given of [app.wrongCode(), app.enrolled.recoveryCodes[0] ?? '']) {
        const { status, body } = await app.confirm(given)
        expect([status, body.errors[0].pointer]).to.deep.equal([400, '/code'])
      }
      expect((await app.logIn()).body.mfaRequired).to.equal(undefined)
      await app.turnOn()
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: true,
        recoveryCodesLeft: 10,
      })
    })

    it('completes no sign-in that awaited a code of the previous app', async () => {
      await app.turnOn()
      const waiting = await app.interim()
      await app.remove({ code: app.code() })
      await app.beginAnew()
      expect(outcome(await app.finish(waiting))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('can be restarted until it is completed', async () => {
      const first = app.code()
      await app.beginAnew()
      expect(outcome(await app.confirm(first))).to.deep.equal([400, 'VALIDATION_ERROR'])
      await app.turnOn()
      expect(outcome(await person.call('POST', '/api/auth/mfa/totp'))).to.deep.equal([409, 'INVALID_STATE'])
      expect(outcome(await app.confirm())).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('requires a fresh passkey, if there is one', async () => {
      const headers = await raiseWithPasskey(accounts, person)
      expect(outcome(await person.call('POST', '/api/auth/mfa/totp'))).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
      const options = { bearer: person.accessToken, headers }
      expect((await accounts.call('POST', '/api/auth/mfa/totp', options)).status).to.equal(201)
    })

    it('cannot be confirmed before it started', async () => {
      const other = await register(accounts, `other${people}`)
      const answer = await other.call('POST', '/api/auth/mfa/totp/confirm', { code: '123456' })
      expect(outcome(answer)).to.deep.equal([404, 'NOT_FOUND'])
    })

    for (const body of [{}, { code: 7 }, { code: '1' }]) {
      it(`refuses the body ${JSON.stringify(body)}`, async () => {
        const answer = await person.call('POST', '/api/auth/mfa/totp/confirm', body)
        expect(outcome(answer)).to.deep.equal([400, 'VALIDATION_ERROR'])
      })
    }
  })

  describe('signing in', () => {
    beforeEach(() => app.turnOn())

    it('requires a code after the password, and both factors appear in the session', async () => {
      const { body } = await app.logIn()
      const { interimToken, ...rest } = body
      expect(rest).to.deep.equal({
        success: true,
        mfaRequired: true,
        methods: ['totp', 'recovery_code'],
        expiresIn: 300,
      })
      const { status, body: signedIn } = await app.finish(interimToken)
      expect(status).to.equal(200)
      const bearer = signedIn.data.accessToken
      const caller = await accounts.call('GET', '/api/test/session', { bearer })
      expect(caller.body.amr).to.deep.equal(['pwd', 'otp', 'mfa'])
    })

    it('accepts an interim token nowhere else', async () => {
      const bearer = await app.interim()
      for (const [method, path] of [
        ['GET', '/api/me'],
        ['GET', '/api/test/apiKey'],
        ['DELETE', '/api/auth/mfa/totp'],
        ['POST', '/api/auth/logout-all'],
      ] as const) {
        expect(outcome(await accounts.call(method, path, { bearer }))).to.deep.equal([401, 'UNAUTHENTICATED'])
      }
      const refreshed = await post('/api/auth/refresh', { refreshToken: bearer })
      expect(outcome(refreshed)).to.deep.equal([401, 'UNAUTHENTICATED'])
      expect((await app.finish(bearer)).status).to.equal(200)
    })

    it('accepts an interim token once, within five minutes', async () => {
      const used = await app.interim()
      await app.finish(used)
      accounts.time.now += STEP_MS
      expect(outcome(await app.finish(used))).to.deep.equal([401, 'UNAUTHENTICATED'])
      const late = await app.interim()
      accounts.time.now += 5 * MINUTE_MS
      expect(outcome(await app.finish(late))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('accepts a code once', async () => {
      const shown = app.code()
      expect((await app.finish(await app.interim(), shown)).status).to.equal(200)
      expect(outcome(await app.finish(await app.interim(), shown))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('accepts a code in one of two concurrent requests', async () => {
      const tokens = [await app.interim(), await app.interim()]
      const shown = app.code()
      const answers = await Promise.all(tokens.map((token) => app.finish(token, shown)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401])
    })

    it('accepts no code older than a used one', async () => {
      accounts.time.now += STEP_MS
      expect((await app.finish(await app.interim(), app.code(1))).status).to.equal(200)
      expect((await app.finish(await app.interim(), app.code(0))).status).to.equal(401)
    })

    it('accepts a code of the previous and the next step, and none further away', async () => {
      accounts.time.now += 10 * STEP_MS
      expect((await app.finish(await app.interim(), app.code(-2))).status).to.equal(401)
      expect((await app.finish(await app.interim(), app.code(2))).status).to.equal(401)
      expect((await app.finish(await app.interim(), app.code(-1))).status).to.equal(200)
      expect((await app.finish(await app.interim(), app.code(1))).status).to.equal(200)
    })

    it('allows five attempts per interim token', async () => {
      const token = await app.interim()
      for (let nth = 0; nth < 5; nth += 1)
        expect((await app.finish(token, app.wrongCode())).status).to.equal(401)
      expect(outcome(await app.finish(token))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('allows ten attempts per account, however many interim tokens, and notifies the owner', async () => {
      const tokens = [await app.interim(), await app.interim(), await app.interim()]
      for (const token of tokens.slice(0, 2)) {
        for (let nth = 0; nth < 5; nth += 1) await app.finish(token, app.wrongCode())
      }
      const refused = await app.finish(tokens[2] ?? '')
      expect(outcome(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect(refused.headers.get('retry-after')).to.equal('900')
      expect(await mailsTo(accounts, person.email, 'codes_locked')).to.have.length(1)
    })

    it('counts passwords as attempts until the code is correct', async () => {
      for (let nth = 0; nth < 10; nth += 1) expect((await app.logIn()).status).to.equal(200)
      expect((await app.logIn()).status).to.equal(429)
    })

    it('does not count a correct code', async () => {
      for (let nth = 0; nth < 12; nth += 1) {
        expect((await app.finish(await app.interim())).status).to.equal(200)
        accounts.time.now += STEP_MS
      }
    })

    it('accepts each recovery code once, in any spelling, and notifies the owner', async () => {
      const [first = '', second = ''] = app.enrolled.recoveryCodes
      expect((await app.finish(await app.interim(), first)).status).to.equal(200)
      expect((await app.finish(await app.interim(), first)).status).to.equal(401)
      const typed = second.toLowerCase().replaceAll('-', ' ')
      const { body } = await app.finish(await app.interim(), typed)
      const me = await accounts.call('GET', '/api/me', { bearer: body.data.accessToken })
      expect(me.body.totp).to.deep.equal({ isOn: true, recoveryCodesLeft: 8 })
      expect(await mailsTo(accounts, person.email, 'recovery_code_used')).to.have.length(2)
    })

    it('rejects a recovery code of another account', async () => {
      const other = await register(accounts, `other${people}`)
      const { recoveryCodes } = (await other.call('POST', '/api/auth/mfa/totp')).body
      expect((await app.finish(await app.interim(), recoveryCodes[0])).status).to.equal(401)
    })

    it('still requires a code after a password reset, which ends pending sign-ins', async () => {
      await person.verifyEmail()
      const waiting = await app.interim()
      await post('/api/auth/password/forgot', { email: person.email })
      const [mail] = await mailsTo(accounts, person.email, 'reset_password')
      await post('/api/auth/password/reset', { token: mail?.token, password: 'plinth ocarina 77' })
      expect((await app.finish(waiting)).status).to.equal(401)
      const again = await post('/api/auth/login', { email: person.email, password: 'plinth ocarina 77' })
      expect(again.body.mfaRequired).to.equal(true)
    })

    for (const body of [{}, { interimToken: 'x' }, { interimToken: 7, code: '123456' }]) {
      it(`refuses the body ${JSON.stringify(body)}`, async () => {
        expect(outcome(await post('/api/auth/mfa', body))).to.deep.equal([400, 'VALIDATION_ERROR'])
      })
    }

    it('refuses an unknown interim token', async () => {
      expect(outcome(await app.finish('svc_it_unknown'))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })
  })

  it('leaves neither secret nor codes readable in the database', async () => {
    await app.turnOn()
    const token = await app.interim()
    const tables = ['totp_factors', 'recovery_codes', 'interim_sign_ins', 'attempts']
    const rows = await Promise.all(tables.map((table) => accounts.db.query(table).select()))
    const kept = JSON.stringify([rows, accounts.logged])
    const secrets = [
      app.enrolled.secret,
      token,
      ...app.enrolled.recoveryCodes.map((one) => one.replaceAll('-', '')),
    ]
    for (const secret of secrets) expect(kept).not.to.include(secret)
    expect(kept).to.include(sha256Hex(token))
  })
})
