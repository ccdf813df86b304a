import { expect } from 'chai'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'

describe('the account of a signing key', () => {
  const key = privateKeyToAccount(generatePrivateKey())
  let accounts: OpenAccounts

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())

  const count = async (table: string) =>
    Number((await accounts.db.query(table).count({ rows: '*' }).first())?.rows)

  it('is created at its first request: no e-mail, no password, a developer identifier', async () => {
    const user = await accounts.ensureWalletAccount({ address: key.address, now: accounts.time.now })
    expect(user.developerId).to.match(/^SVCD-[0-9A-Za-z]{22}$/)
    expect(user).to.include({ email: null, fullName: null, accountType: 'individual', role: 'user' })
  })

  it('is found again, in any spelling', async () => {
    const { now } = accounts.time
    const first = await accounts.ensureWalletAccount({ address: key.address, now })
    const address = key.address.toLowerCase() as Hex
    expect(await accounts.ensureWalletAccount({ address, now: now + 1 })).to.deep.equal(first)
  })

  it('is created once for concurrent first requests', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const before = { users: await count('users'), wallets: await count('wallets') }
    const { now } = accounts.time
    const made = await Promise.all(
      Array.from({ length: 8 }, () => accounts.ensureWalletAccount({ address, now })),
    )
    expect(new Set(made.map(({ id }) => id)).size).to.equal(1)
    expect(await count('users')).to.equal(before.users + 1)
    expect(await count('wallets')).to.equal(before.wallets + 1)
  })

  it('is not created if the transaction fails', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const before = await count('users')
    const failed = accounts.db.transaction(async (trx) => {
      await accounts.ensureWalletAccount({ trx, address, now: accounts.time.now })
      throw new Error('the rest went wrong')
    })
    expect(await failed.catch((error: Error) => error.message)).to.equal('the rest went wrong')
    expect(await count('users')).to.equal(before)
  })
})
