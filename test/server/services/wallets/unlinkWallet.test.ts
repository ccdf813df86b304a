import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'
import { signSiwe } from './signSiwe.ts'

describe('a linked wallet', () => {
  let accounts: OpenAccounts
  let ada: Person
  let wallet: PrivateKeyAccount
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    ada = await register(accounts, `linked${people}`)
    wallet = newKey()
    expect((await link(wallet)).status).to.equal(200)
  })

  const newKey = () => privateKeyToAccount(generatePrivateKey())
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const send = async (key: PrivateKeyAccount, bearer?: string) =>
    accounts.call('POST', '/api/auth/siwe', {
      body: await signSiwe(accounts, key),
      ...(bearer === undefined ? {} : { bearer }),
    })
  const link = (key: PrivateKeyAccount, bearer = ada.accessToken) => send(key, bearer)
  const unlink = (key: PrivateKeyAccount, bearer = ada.accessToken, headers: Record<string, string> = {}) =>
    accounts.call('DELETE', `/api/auth/wallets/${key.address}`, { bearer, headers })
  const me = (bearer: string) => accounts.call('GET', '/api/me', { bearer })
  const walletsOf = async (bearer: string) => (await me(bearer)).body.wallets

  it('is unlinked from the account, can no longer sign in, and the owner is notified', async () => {
    const { status, body } = await unlink(wallet)
    expect([status, body]).to.deep.equal([200, { success: true, address: wallet.address.toLowerCase() }])
    expect(await walletsOf(ada.accessToken)).to.deep.equal([])
    expect((await send(wallet)).body.data.user.id).not.to.equal(ada.userId)
    expect(await mailsTo(accounts, ada.email, 'wallet_removed')).to.have.length(1)
  })

  it('ends exactly the sessions opened with a wallet', async () => {
    const byWallet = (await send(wallet)).body.data
    const login = { email: ada.email, password: PASSWORD }
    const byPassword = (await accounts.call('POST', '/api/auth/login', { body: login })).body.data
    await me(byWallet.accessToken)
    await unlink(wallet)
    const statuses = [byWallet, byPassword, ada].map(
      async ({ accessToken }) => (await me(accessToken)).status,
    )
    expect(await Promise.all(statuses)).to.deep.equal([401, 200, 200])
    const { refreshToken } = byWallet
    expect((await accounts.call('POST', '/api/auth/refresh', { body: { refreshToken } })).status).to.equal(
      401,
    )
  })

  it('does not end the session that unlinks it, even one that it opened', async () => {
    const { accessToken } = (await send(wallet)).body.data
    expect((await unlink(wallet, accessToken)).status).to.equal(200)
    expect((await me(accessToken)).status).to.equal(200)
  })

  it('can be linked again', async () => {
    await unlink(wallet)
    expect((await link(wallet)).status).to.equal(200)
    expect(await walletsOf(ada.accessToken)).to.deep.equal([wallet.address.toLowerCase()])
  })

  it('can be unlinked once', async () => {
    const answers = await Promise.all([unlink(wallet), unlink(wallet)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404])
  })

  it('cannot be unlinked by another account, which does not see it', async () => {
    const eve = await register(accounts, `eve${people}`)
    expect(outcome(await unlink(wallet, eve.accessToken))).to.deep.equal([404, 'NOT_FOUND'])
    expect(outcome(await unlink(newKey()))).to.deep.equal([404, 'NOT_FOUND'])
    expect(await walletsOf(ada.accessToken)).to.have.length(1)
  })

  it('cannot be unlinked as the last way to sign in', async () => {
    const alone = newKey()
    const { accessToken } = (await send(alone)).body.data
    expect(outcome(await unlink(alone, accessToken))).to.deep.equal([409, 'INVALID_STATE'])
    const second = newKey()
    await link(second, accessToken)
    expect((await unlink(alone, accessToken)).status).to.equal(200)
    expect(outcome(await unlink(second, accessToken))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('is kept as the last of two, however concurrently both are unlinked', async () => {
    const [first, second] = [newKey(), newKey()]
    const { accessToken } = (await send(first)).body.data
    await link(second, accessToken)
    const answers = await Promise.all([unlink(first, accessToken), unlink(second, accessToken)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
  })

  it('requires a fresh passkey, if there is one', async () => {
    const { elevation } = await enrolPasskey(accounts.url, ada.accessToken, APP_URL)
    expect(outcome(await unlink(wallet))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    const headers = { 'X-Svc-Elevation': await elevation() }
    expect((await unlink(wallet, ada.accessToken, headers)).status).to.equal(200)
  })

  it('is one of at most twenty', async () => {
    for (let nth = 2; nth <= 20; nth += 1) expect((await link(newKey())).status).to.equal(200)
    expect(outcome(await link(newKey()))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await link(wallet)).status, 'one of them again').to.equal(200)
    await unlink(wallet)
    expect((await link(newKey())).status).to.equal(200)
  })
})
