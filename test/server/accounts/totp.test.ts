import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { createAuthenticator } from '../../harness/authenticator.ts'
import { mailsTo } from './mailsTo.ts'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts } from './openAccounts.ts'
import { PASSWORD, type Person, register } from './person.ts'

const STEP_MS = 30_000
const MINUTE_MS = 60_000

describe('an authenticator app', () => {
  let accounts: OpenAccounts
  let person: Person
  let enrolled: { secret: string; otpauthUrl: string; recoveryCodes: string[] }
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    person = await register(accounts, `person${people}`)
    enrolled = (await person.call('POST', '/api/auth/mfa/totp')).body
    accounts.changed.length = 0
  })

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const post = (path: string, body: object) => accounts.call('POST', path, { body })
  /** The code that the app shows, so many steps from now. */
  const code = (steps = 0, secret = enrolled.secret) =>
    generateSync({ secret, epoch: Math.floor(accounts.time.now / 1000) + steps * 30 })
  const wrongCode = () => {
    const good = [-1, 0, 1].map((steps) => code(steps))
    return ['000000', '111111', '222222', '333333'].find((one) => !good.includes(one)) ?? ''
  }
  const confirm = (given: string = code()) =>
    person.call('POST', '/api/auth/mfa/totp/confirm', { code: given })
  /** Turns it on, and waits for the next code. */
  const turnOn = async () => {
    expect((await confirm()).status).to.equal(200)
    accounts.time.now += STEP_MS
  }
  const logIn = () => post('/api/auth/login', { email: person.email, password: PASSWORD })
  const interim = async (): Promise<string> => (await logIn()).body.interimToken
  const finish = (interimToken: string, given: string = code()) =>
    post('/api/auth/mfa', { interimToken, code: given })
  const remove = (body?: object, headers: Record<string, string> = {}) =>
    accounts.call('DELETE', '/api/auth/mfa/totp', { bearer: person.accessToken, body, headers })
  const elevation = async () => {
    const authenticator = createAuthenticator({ origin: APP_URL, rpId: new URL(APP_URL).hostname })
    const passkeys = '/api/auth/passkeys'
    const made = await person.call('POST', `${passkeys}/registration/options`, {})
    const response = authenticator.register(made.body.options)
    await person.call('POST', `${passkeys}/registration/verify`, { response })
    const asked = await person.call('POST', `${passkeys}/authentication/options`, {})
    const asserted = { response: authenticator.assert(asked.body.options) }
    const raised = await person.call('POST', `${passkeys}/authentication/verify`, asserted)
    return { 'X-Svc-Elevation': raised.body.elevationToken as string }
  }

  describe('enrolment', () => {
    it('shows a secret that apps read and ten recovery codes', () => {
      expect(enrolled.secret).to.match(/^[A-Z2-7]{32}$/)
      const url = new URL(enrolled.otpauthUrl)
      expect(url.protocol).to.equal('otpauth:')
      expect(url.searchParams.get('secret')).to.equal(enrolled.secret)
      expect(new Set(enrolled.recoveryCodes).size).to.equal(10)
      for (const one of enrolled.recoveryCodes) expect(one).to.match(/^(\w{4}-){3}\w{4}$/)
    })

    it('asks for nothing before the first code', async () => {
      expect((await logIn()).body.data.accessToken).to.be.a('string')
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: false,
        recoveryCodesLeft: 0,
      })
      expect(accounts.changed).to.deep.equal([])
    })

    it('is over with the first code, counts in the trust score and is told by mail', async () => {
      expect((await confirm()).body).to.deep.equal({ success: true })
      expect(accounts.changed).to.deep.equal([person.userId])
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: true,
        recoveryCodesLeft: 10,
      })
      expect(await mailsTo(accounts, person.email, 'totp_changed')).to.have.length(1)
    })

    it('is not over with a wrong code or a recovery code', async () => {
      for (const given of [wrongCode(), enrolled.recoveryCodes[0] ?? '']) {
        const { status, body } = await confirm(given)
        expect([status, body.errors[0].pointer]).to.deep.equal([400, '/code'])
      }
      expect((await logIn()).body.mfaRequired).to.equal(undefined)
      await turnOn()
      expect((await person.call('GET', '/api/me')).body.totp).to.deep.equal({
        isOn: true,
        recoveryCodesLeft: 10,
      })
    })

    it('finishes no sign-in that waited for the app of before', async () => {
      await turnOn()
      const waiting = await interim()
      await remove({ code: code() })
      enrolled = (await person.call('POST', '/api/auth/mfa/totp')).body
      expect(outcome(await finish(waiting))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('begins anew until it is over, and then not', async () => {
      const first = code()
      enrolled = (await person.call('POST', '/api/auth/mfa/totp')).body
      expect(outcome(await confirm(first))).to.deep.equal([400, 'VALIDATION_ERROR'])
      await turnOn()
      expect(outcome(await person.call('POST', '/api/auth/mfa/totp'))).to.deep.equal([409, 'INVALID_STATE'])
      expect(outcome(await confirm())).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('takes a fresh passkey where there is one', async () => {
      const headers = await elevation()
      expect(outcome(await person.call('POST', '/api/auth/mfa/totp'))).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
      const options = { bearer: person.accessToken, headers }
      expect((await accounts.call('POST', '/api/auth/mfa/totp', options)).status).to.equal(201)
    })

    it('is confirmed by nobody who has none', async () => {
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
    beforeEach(turnOn)

    it('asks for a code after the password, and says both factors in the session', async () => {
      const { body } = await logIn()
      const { interimToken, ...rest } = body
      expect(rest).to.deep.equal({
        success: true,
        mfaRequired: true,
        methods: ['totp', 'recovery_code'],
        expiresIn: 300,
      })
      const { status, body: signedIn } = await finish(interimToken)
      expect(status).to.equal(200)
      const bearer = signedIn.data.accessToken
      const caller = await accounts.call('GET', '/api/test/session', { bearer })
      expect(caller.body.amr).to.deep.equal(['pwd', 'otp', 'mfa'])
    })

    it('takes an interim token nowhere else', async () => {
      const bearer = await interim()
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
      expect((await finish(bearer)).status).to.equal(200)
    })

    it('takes an interim token once, within five minutes', async () => {
      const used = await interim()
      await finish(used)
      accounts.time.now += STEP_MS
      expect(outcome(await finish(used))).to.deep.equal([401, 'UNAUTHENTICATED'])
      const late = await interim()
      accounts.time.now += 5 * MINUTE_MS
      expect(outcome(await finish(late))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('takes a code once', async () => {
      const shown = code()
      expect((await finish(await interim(), shown)).status).to.equal(200)
      expect(outcome(await finish(await interim(), shown))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('takes a code of two requests at once in one of them', async () => {
      const tokens = [await interim(), await interim()]
      const shown = code()
      const answers = await Promise.all(tokens.map((token) => finish(token, shown)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401])
    })

    it('takes no code from before one that was used', async () => {
      accounts.time.now += STEP_MS
      expect((await finish(await interim(), code(1))).status).to.equal(200)
      expect((await finish(await interim(), code(0))).status).to.equal(401)
    })

    it('takes a code of the step before and of the next, and none further away', async () => {
      accounts.time.now += 10 * STEP_MS
      expect((await finish(await interim(), code(-2))).status).to.equal(401)
      expect((await finish(await interim(), code(2))).status).to.equal(401)
      expect((await finish(await interim(), code(-1))).status).to.equal(200)
      expect((await finish(await interim(), code(1))).status).to.equal(200)
    })

    it('gives an interim token five tries', async () => {
      const token = await interim()
      for (let nth = 0; nth < 5; nth += 1) expect((await finish(token, wrongCode())).status).to.equal(401)
      expect(outcome(await finish(token))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('gives an account ten tries, however many interim tokens, and tells the owner', async () => {
      const tokens = [await interim(), await interim(), await interim()]
      for (const token of tokens.slice(0, 2)) {
        for (let nth = 0; nth < 5; nth += 1) await finish(token, wrongCode())
      }
      const refused = await finish(tokens[2] ?? '')
      expect(outcome(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect(refused.headers.get('retry-after')).to.equal('900')
      expect(await mailsTo(accounts, person.email, 'codes_locked')).to.have.length(1)
    })

    it('counts passwords as tries until the code is right', async () => {
      for (let nth = 0; nth < 10; nth += 1) expect((await logIn()).status).to.equal(200)
      expect((await logIn()).status).to.equal(429)
    })

    it('is left alone by a right code', async () => {
      for (let nth = 0; nth < 12; nth += 1) {
        expect((await finish(await interim())).status).to.equal(200)
        accounts.time.now += STEP_MS
      }
    })

    it('takes each recovery code once, typed in any way, and the owner is told', async () => {
      const [first = '', second = ''] = enrolled.recoveryCodes
      expect((await finish(await interim(), first)).status).to.equal(200)
      expect((await finish(await interim(), first)).status).to.equal(401)
      const typed = second.toLowerCase().replaceAll('-', ' ')
      const { body } = await finish(await interim(), typed)
      const me = await accounts.call('GET', '/api/me', { bearer: body.data.accessToken })
      expect(me.body.totp).to.deep.equal({ isOn: true, recoveryCodesLeft: 8 })
      expect(await mailsTo(accounts, person.email, 'recovery_code_used')).to.have.length(2)
    })

    it('takes no recovery code of another account', async () => {
      const other = await register(accounts, `other${people}`)
      const { recoveryCodes } = (await other.call('POST', '/api/auth/mfa/totp')).body
      expect((await finish(await interim(), recoveryCodes[0])).status).to.equal(401)
    })

    it('still asks after the password was reset, and what waited for a code is over', async () => {
      await person.verifyEmail()
      const waiting = await interim()
      await post('/api/auth/password/forgot', { email: person.email })
      const [mail] = await mailsTo(accounts, person.email, 'reset_password')
      await post('/api/auth/password/reset', { token: mail?.token, password: 'plinth ocarina 77' })
      expect((await finish(waiting)).status).to.equal(401)
      const again = await post('/api/auth/login', { email: person.email, password: 'plinth ocarina 77' })
      expect(again.body.mfaRequired).to.equal(true)
    })

    for (const body of [{}, { interimToken: 'x' }, { interimToken: 7, code: '123456' }]) {
      it(`refuses the body ${JSON.stringify(body)}`, async () => {
        expect(outcome(await post('/api/auth/mfa', body))).to.deep.equal([400, 'VALIDATION_ERROR'])
      })
    }

    it('refuses an unknown interim token', async () => {
      expect(outcome(await finish('svc_it_unknown'))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })
  })

  describe('turning it off', () => {
    it('takes a code, counts in the trust score and is told by mail', async () => {
      await turnOn()
      accounts.changed.length = 0
      expect((await remove({ code: code() })).body).to.deep.equal({ success: true })
      expect(accounts.changed).to.deep.equal([person.userId])
      expect((await logIn()).body.data.accessToken).to.be.a('string')
      expect(await mailsTo(accounts, person.email, 'totp_changed')).to.have.length(2)
    })

    it('takes a recovery code', async () => {
      await turnOn()
      expect((await remove({ code: enrolled.recoveryCodes[3] })).status).to.equal(200)
    })

    it('takes a fresh passkey', async () => {
      await turnOn()
      expect(outcome(await remove())).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      expect((await remove(undefined, await elevation())).status).to.equal(200)
    })

    it('takes no wrong code, ten times, and then none', async () => {
      await turnOn()
      for (let nth = 0; nth < 10; nth += 1) {
        expect(outcome(await remove({ code: wrongCode() }))).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
      expect(outcome(await remove({ code: code() }))).to.deep.equal([429, 'RATE_LIMITED'])
    })

    it('takes no more wrong codes for a right password in between', async () => {
      await turnOn()
      for (let nth = 0; nth < 10; nth += 1) await remove({ code: wrongCode() })
      const body = { currentPassword: PASSWORD, newPassword: 'plinth ocarina 77' }
      expect((await person.call('POST', '/api/auth/password/change', body)).status).to.equal(200)
      expect(outcome(await remove({ code: wrongCode() }))).to.deep.equal([429, 'RATE_LIMITED'])
    })

    it('is answered 404 where none is on', async () => {
      expect(outcome(await remove({ code: code() }))).to.deep.equal([404, 'NOT_FOUND'])
    })
  })

  it('leaves neither secret nor codes readable in the database', async () => {
    await turnOn()
    const token = await interim()
    const tables = ['totp_factors', 'recovery_codes', 'interim_sign_ins', 'attempts']
    const rows = await Promise.all(tables.map((table) => accounts.db.query(table).select()))
    const kept = JSON.stringify([rows, accounts.logged])
    const secrets = [enrolled.secret, token, ...enrolled.recoveryCodes.map((one) => one.replaceAll('-', ''))]
    for (const secret of secrets) expect(kept).not.to.include(secret)
    expect(kept).to.include(sha256Hex(token))
  })
})
