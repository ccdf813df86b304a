import { expect } from 'chai'
import { generateSync } from 'otplib'
import type { OpenAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, register } from '../accounts/person.ts'

/** How long an app shows the same code. Source: RFC 6238 §4. */
export const STEP_MS = 30_000

/** A person with an authenticator app. */
export type TotpPerson = Awaited<ReturnType<typeof enrolTotp>>

/** Registers a person and starts the enrolment of an authenticator app, without the first code. */
export async function enrolTotp(accounts: OpenAccounts, name: string) {
  const person = await register(accounts, name)
  const post = (path: string, body: object) => accounts.call('POST', path, { body })
  const begin = async (): Promise<{ secret: string; otpauthUrl: string; recoveryCodes: string[] }> =>
    (await person.call('POST', '/api/auth/mfa/totp')).body
  let enrolled = await begin()

  /** Returns the code that the app shows, a number of steps from now. */
  const code = (steps = 0) =>
    generateSync({ secret: enrolled.secret, epoch: Math.floor(accounts.time.now / 1000) + steps * 30 })
  const wrongCode = () => {
    const good = [-1, 0, 1].map((steps) => code(steps))
    return ['000000', '111111', '222222', '333333'].find((one) => !good.includes(one)) ?? ''
  }
  const confirm = (given: string = code()) =>
    person.call('POST', '/api/auth/mfa/totp/confirm', { code: given })
  const logIn = () => post('/api/auth/login', { email: person.email, password: PASSWORD })
  const remove = (body?: object, headers: Record<string, string> = {}) =>
    accounts.call('DELETE', '/api/auth/mfa/totp', { bearer: person.accessToken, body, headers })

  return {
    ...{ person, code, wrongCode, confirm, logIn, remove },
    /** The data that the service returned when the enrolment started. */
    get enrolled() {
      return enrolled
    },
    /** Starts another enrolment, whose secret the app then has. */
    async beginAnew() {
      enrolled = await begin()
    },
    /** Enables it, and waits for the next code. */
    async turnOn() {
      expect((await confirm()).status).to.equal(200)
      accounts.time.now += STEP_MS
    },
    interim: async (): Promise<string> => (await logIn()).body.interimToken,
    finish: (interimToken: string, given: string = code()) =>
      post('/api/auth/mfa', { interimToken, code: given }),
  }
}
