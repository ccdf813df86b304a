import { expect } from 'chai'
import { mailsTo } from '../accounts/mailsTo.ts'
import { type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person } from '../accounts/person.ts'
import { enrolTotp, type TotpPerson } from './enrolTotp.ts'
import { raiseWithPasskey } from './raiseWithPasskey.ts'

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

  describe('turning it off', () => {
    it('requires a code, counts in the trust score and is reported by mail', async () => {
      await app.turnOn()
      accounts.changed.length = 0
      expect((await app.remove({ code: app.code() })).body).to.deep.equal({ success: true })
      expect(accounts.changed).to.deep.equal([person.userId])
      expect((await app.logIn()).body.data.accessToken).to.be.a('string')
      expect(await mailsTo(accounts, person.email, 'totp_changed')).to.have.length(2)
    })

    it('accepts a recovery code', async () => {
      await app.turnOn()
      expect((await app.remove({ code: app.enrolled.recoveryCodes[3] })).status).to.equal(200)
    })

    it('accepts a fresh passkey', async () => {
      await app.turnOn()
      expect(outcome(await app.remove())).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      expect((await app.remove(undefined, await raiseWithPasskey(accounts, person))).status).to.equal(200)
    })

    it('rejects a wrong code ten times, and then every code', async () => {
      await app.turnOn()
      for (let nth = 0; nth < 10; nth += 1) {
        expect(outcome(await app.remove({ code: app.wrongCode() }))).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
      expect(outcome(await app.remove({ code: app.code() }))).to.deep.equal([429, 'RATE_LIMITED'])
    })

    it('does not allow more wrong codes after a correct password', async () => {
      await app.turnOn()
      for (let nth = 0; nth < 10; nth += 1) await app.remove({ code: app.wrongCode() })
      const body = { currentPassword: PASSWORD, newPassword: 'plinth ocarina 77' }
      expect((await person.call('POST', '/api/auth/password/change', body)).status).to.equal(200)
      expect(outcome(await app.remove({ code: app.wrongCode() }))).to.deep.equal([429, 'RATE_LIMITED'])
    })

    it('is a 404 without an authenticator app', async () => {
      expect(outcome(await app.remove({ code: app.code() }))).to.deep.equal([404, 'NOT_FOUND'])
    })
  })
})
