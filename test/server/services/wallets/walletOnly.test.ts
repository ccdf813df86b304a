import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { signSiwe } from './signSiwe.ts'

describe('a wallet-only account', () => {
  let accounts: OpenAccounts
  let bearer: string

  before(async () => {
    accounts = await openAccounts()
    const wallet = privateKeyToAccount(generatePrivateKey())
    const signedIn = await accounts.call('POST', '/api/auth/siwe', { body: await signSiwe(accounts, wallet) })
    bearer = signedIn.body.data.accessToken
  })
  after(() => accounts.close())

  for (const [path, body] of [
    ['/api/auth/verify-email/resend', {}],
    ['/api/auth/mfa/totp', {}],
    ['/api/auth/password/change', { newPassword: 'plinth ocarina 77' }],
  ] as const) {
    it(`has no address for ${path}`, async () => {
      const { status, body: answer } = await accounts.call('POST', path, { bearer, body })
      expect([status, answer.code]).to.deep.equal([409, 'INVALID_STATE'])
    })
  }

  it('lists its sessions with how they were opened', async () => {
    const { items } = (await accounts.call('GET', '/api/auth/sessions', { bearer })).body
    expect(items.map(({ amr }: { amr: string[] }) => amr)).to.deep.equal([['pop']])
  })
})
