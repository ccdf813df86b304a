import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type OpenAccounts, openAccounts } from './accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from './accounts/person.ts'
import { signSiwe } from './wallets/signSiwe.ts'

const FRESH_MS = 5 * 60 * 1000

describe('an account without a passkey', () => {
  let accounts: OpenAccounts
  let person: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    person = await register(accounts, `proof${people}`)
  })

  const signInAgain = async (): Promise<string> => {
    const body = { email: person.email, password: PASSWORD }
    return (await accounts.call('POST', '/api/auth/login', { body })).body.data.accessToken
  }

  for (const [what, path, bodyOf] of [
    ['an authenticator app', '/api/auth/mfa/totp', async () => ({})],
    ['its first passkey', '/api/auth/passkeys/registration/options', async () => ({})],
    ['a wallet', '/api/auth/siwe', () => signSiwe(accounts, privateKeyToAccount(generatePrivateKey()))],
  ] as const) {
    it(`gets ${what} only within five minutes of a sign-in, so that a stolen session cannot keep the account`, async () => {
      const send = async (bearer: string) => {
        const { status, body } = await accounts.call('POST', path, { bearer, body: await bodyOf() })
        return [status < 300, body.code]
      }
      accounts.time.now += FRESH_MS + 1
      expect(await send(person.accessToken)).to.deep.equal([false, 'ELEVATION_REQUIRED'])
      const bearer = await signInAgain()
      accounts.time.now += FRESH_MS
      expect(await send(bearer)).to.deep.equal([true, undefined])
    })
  }
})
