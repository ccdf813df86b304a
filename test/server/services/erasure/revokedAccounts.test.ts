import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import { registerAgent, signHeaders } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { PDLSS } from '../approvals/openOwnerScene.ts'
import { type ErasureScene, openErasureScene } from './openErasureScene.ts'

type Owner = Awaited<ReturnType<ErasureScene['owner']>>

const newAccount = () => privateKeyToAccount(generatePrivateKey())

describe('an account that was revoked for an organisation’s agent', function () {
  this.timeout(120_000)
  let scene: ErasureScene
  let [creator, heir, other] = [] as unknown as [Owner, Owner, Owner]
  let organizationId: string
  /** Revoked by the creator; revoked, and linked by the heir; never revoked; unlinked, without agents here. */
  const accounts = {
    revoked: newAccount(),
    regained: newAccount(),
    kept: newAccount(),
    elsewhere: newAccount(),
  }
  const agents = new Map<PrivateKeyAccount, string>()

  const rows = <Row>(sql: string, ...values: unknown[]) => scene.current().rows<Row>(sql, ...values)
  const seconds = () => Math.floor(scene.time.now / 1000)
  const register = async (account: PrivateKeyAccount, ownerId: string) => {
    const { svcId } = await registerAgent(scene.baseUrl, { pdlss: PDLSS }, { account, timestamp: seconds() })
    await rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', ownerId, svcId)
    agents.set(account, svcId)
  }
  /** The status of asking for a token. */
  const ask = async (account: PrivateKeyAccount): Promise<number> => {
    const path = `/api/agents/${agents.get(account)}/token`
    const headers = await signHeaders(account, { method: 'POST', path, body: '', timestamp: seconds() })
    return (await api(scene.current().baseUrl, 'POST', path, { headers })).status
  }
  const revoke = async (by: Owner, account: PrivateKeyAccount) => {
    const headers = { 'x-svc-elevation': await by.elevation() }
    const path = `/api/agents/${agents.get(account)}/accounts/${account.address}`
    return (await by.call('DELETE', path, { headers })).status
  }
  const link = async (by: Owner, account: PrivateKeyAccount) => {
    const body = await buildSiweBody(scene.current().baseUrl, account)
    const headers = { 'x-svc-elevation': await by.elevation() }
    return (await by.call('POST', '/api/auth/siwe', { body, headers })).status
  }
  const erase = async (one: Owner) => {
    await rows(
      `INSERT INTO account_erasures (user_id, requested_at, erase_at, step) VALUES (?, 0, ?, 'identity')`,
      one.userId,
      scene.time.now,
    )
    await scene.restart()
    await scene.untilErased(one.userId)
  }
  const unlinkedBy = async (one: Owner) =>
    (
      await rows<{ address: string }>('SELECT address FROM unlinked_wallets WHERE user_id = ?', one.userId)
    ).map(({ address }) => address)
  const revokedForOrganization = async () =>
    (
      await rows<{ address: string }>(
        'SELECT address FROM revoked_accounts WHERE organization_id = ?',
        organizationId,
      )
    ).map(({ address }) => address)
  const isRevokedFor = async (ownerId: string, { address }: PrivateKeyAccount) => {
    const proof = accountRevocationOf({ ownerId, address: address.toLowerCase() })
    return (await rows('SELECT proof FROM used_proofs WHERE proof = ?', proof)).length === 1
  }

  before(async () => {
    scene = await openErasureScene()
    creator = await scene.owner()
    ;[heir, other] = [await scene.owner(), await scene.owner({ withPasskey: false })]
    organizationId = await creator.organizationWith([
      [heir, 'owner'],
      [other, 'admin'],
    ])
    const { revoked, regained, kept, elsewhere } = accounts
    for (const account of [revoked, regained, kept]) await register(account, organizationId)
    await register(elsewhere, creator.developerId)
    for (const account of [revoked, regained, elsewhere]) {
      expect(await ask(account)).to.equal(200)
      expect(await revoke(creator, account)).to.equal(200)
      expect(await ask(account)).to.equal(403)
    }
    expect(await ask(regained)).to.equal(403)
    expect(await link(heir, regained)).to.equal(200)
    await erase(creator)
  })
  after(() => scene?.remove())

  it('stays revoked when its creator is erased, unless somebody who administers it has linked it', async () => {
    const [created] = await rows('SELECT created_by FROM organizations WHERE id = ?', organizationId)
    expect(created).to.deep.equal({ created_by: heir.userId })
    const { revoked, regained, kept } = accounts
    const statuses = async () => [await ask(revoked), await ask(regained), await ask(kept)]
    expect(await statuses()).to.deep.equal([403, 200, 200])
    await scene.restart()
    expect(await statuses()).to.deep.equal([403, 200, 200])
  })

  it('is revoked for the organisation and nobody else, and nothing else of the erased person is', async () => {
    expect(await unlinkedBy(creator)).to.deep.equal([])
    expect(await unlinkedBy(heir)).to.deep.equal([])
    expect(await revokedForOrganization()).to.deep.equal([accounts.revoked.address.toLowerCase()])
    expect(await isRevokedFor(heir.developerId, accounts.revoked)).to.equal(false)
  })

  it('stays revoked when the heir is erased, too', async () => {
    await erase(heir)
    const { revoked, kept } = accounts
    expect([await ask(revoked), await ask(kept)]).to.deep.equal([403, 200])
    expect(await unlinkedBy(other)).to.deep.equal([])
    expect(await revokedForOrganization()).to.deep.equal([revoked.address.toLowerCase()])
  })
})
