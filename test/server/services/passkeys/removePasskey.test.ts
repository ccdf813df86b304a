import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import { buildAgentRow } from '../../../builders/buildAgentRow.ts'
import { openWalletSignIn, type WalletSignIn } from '../wallets/openWalletSignIn.ts'
import { PASSKEYS } from './openPasskeys.ts'

describe('a passkey of an account with a wallet', () => {
  let scene: WalletSignIn
  let agents = 0

  before(async () => {
    scene = await openWalletSignIn(null)
  })
  after(() => scene?.accounts.close())

  /** An account with a wallet and a passkey, whose owner has signed in with the wallet. */
  async function signedInWith(wallet: PrivateKeyAccount) {
    const owner = await scene.person()
    await scene.send(await scene.signed(wallet), owner.accessToken)
    await scene.passkeyOf(owner)
    const [passkey] = (await owner.call('GET', PASSKEYS)).body.items
    const { accessToken: bearer } = (await scene.send(await scene.signed(wallet))).body.data
    return { owner, remove: () => scene.accounts.call('DELETE', `${PASSKEYS}/${passkey.id}`, { bearer }) }
  }

  /** Adds an agent of the owner. */
  async function addAgent(ownerId: string, fields: object): Promise<string> {
    agents += 1
    const svcId = `SVC-${agents}`
    await scene.accounts.db
      .query('agents')
      .insert({ ...buildAgentRow(svcId, agents), owner_id: ownerId, ...fields })
    return svcId
  }

  it('can be removed soon after signing in with the wallet, if it is lost', async () => {
    const { owner, remove } = await signedInWith(scene.newKey())
    await addAgent(owner.developerId, { signer_address: scene.newKey().address.toLowerCase() })
    expect((await remove()).status).to.equal(200)
  })

  it('cannot be removed with a wallet that signed the registration of an agent, which may hold its key', async () => {
    const wallet = scene.newKey()
    const { owner, remove } = await signedInWith(wallet)
    await addAgent(owner.developerId, { signer_address: wallet.address.toLowerCase() })
    const { status, body } = await remove()
    expect([status, body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
  })

  it('cannot be removed with the `agentWallet` of an agent', async () => {
    const wallet = scene.newKey()
    const { owner, remove } = await signedInWith(wallet)
    const svcId = await addAgent(owner.developerId, {})
    await scene.accounts.db.query('agent_tokens').insert({
      ...{ svc_id: svcId, custody: 'owner', holder: wallet.address, wallet: wallet.address },
      ...{ uri: 'https://registry.test/1', seen_block: 1 },
    })
    expect((await remove()).status).to.equal(403)
  })

  for (const [what, change] of [
    ['is retired', { status: 'retired' }],
    ['belongs to somebody else', { owner_id: 'SVCD-somebody' }],
  ] as const) {
    it(`cannot be removed with the wallet of an agent that ${what}, which a session can bring about`, async () => {
      const wallet = scene.newKey()
      const { owner, remove } = await signedInWith(wallet)
      await addAgent(owner.developerId, { signer_address: wallet.address.toLowerCase(), ...change })
      expect((await remove()).status).to.equal(403)
    })
  }

  it('cannot be removed in a session of unknown wallet, which an earlier release opened', async () => {
    const { owner, remove } = await signedInWith(scene.newKey())
    await scene.accounts.db
      .query('sessions')
      .update({ wallet_address: null })
      .where({ user_id: owner.userId })
    expect((await remove()).status).to.equal(403)
  })
})
