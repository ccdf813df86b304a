import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../../builders/buildSiweBody.ts'
import { registerEndpoint } from '../../../../builders/participants.ts'
import { signByAccount } from '../../../../builders/signByAccount.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../../approvals/openOwnerScene.ts'

const GRANTED = ['grant', 'signature']
const REFUSED = ['deny', 'none']

describe('an Ethereum account that was revoked for an organisation signs for none of its agents', () => {
  let scene: OwnerScene
  let counterpartyId: string

  before(async () => {
    scene = await openOwnerScene()
    const asking = { counterpartyUrl: 'https://revoked.acme.io', minIdentityProof: 'signature' }
    counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, asking)
  })
  after(() => scene?.service.stop())

  let svcId: string
  const decide = async (by: PrivateKeyAccount, agentId = svcId) => {
    const url = 'https://revoked.acme.io/orders/1'
    const callerMetadata = await signByAccount(by, { svcId: agentId, url, now: scene.time.now })
    const { recommendation, identityProof } = (
      await scene.verifyUnproven({ agentId, counterpartyId, callerMetadata })
    ).body
    return [recommendation, identityProof]
  }
  const elevationOf = async (by: Owner) => ({ 'x-svc-elevation': await by.elevation() })
  const link = async (wallet: PrivateKeyAccount, by: Owner, headers: Record<string, string>) => {
    const body = await buildSiweBody(scene.baseUrl, wallet)
    expect((await by.call('POST', '/api/auth/siwe', { body, headers })).status).to.equal(200)
  }

  let creator: Owner
  let bob: Owner
  let organizationId: string
  /** Signed the registrations of an agent of the organisation, and of one of its creator’s own. */
  let account: PrivateKeyAccount
  let own: string

  beforeEach(async () => {
    creator = await scene.owner()
    bob = await scene.owner()
    organizationId = await creator.organizationWith([[bob, 'owner']])
    account = privateKeyToAccount(generatePrivateKey())
    svcId = await creator.agent({ pdlss: {} })
    own = await creator.agent({ pdlss: {} })
    await scene.store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', organizationId, svcId)
    for (const agentId of [svcId, own]) {
      await scene.store(
        'UPDATE agents SET signer_address = ? WHERE svc_id = ?',
        account.address.toLowerCase(),
        agentId,
      )
    }
    expect(await decide(account)).to.deep.equal(GRANTED)
    expect(await decide(account, own)).to.deep.equal(GRANTED)
  })

  const revoke = async (by: Owner) => {
    const headers = await elevationOf(by)
    const answer = await by.call('DELETE', `/api/agents/${svcId}/accounts/${account.address}`, { headers })
    expect(answer.status).to.equal(200)
  }
  const linkBy = async (by: Owner) => link(account, by, await elevationOf(by))
  const unlinkBy = async (by: Owner) => {
    const headers = await elevationOf(by)
    const answer = await by.call('DELETE', `/api/auth/wallets/${account.address}`, { headers })
    expect(answer.status).to.equal(200)
  }
  const member = (one: Owner) => `/api/organizations/${organizationId}/members/${one.userId}`
  const revocations = async () =>
    (await scene.store('SELECT address FROM revoked_accounts WHERE organization_id = ?', organizationId))
      .length

  it('for no agent of anybody else', async () => {
    await revoke(bob)
    expect(await decide(account)).to.deep.equal(REFUSED)
    expect(await decide(account, own)).to.deep.equal(GRANTED)
  })

  it('also after its creator has left, been demoted or been suspended, and links it', async () => {
    await revoke(bob)
    for (const change of [{ role: 'viewer' }, { status: 'suspended' }, null]) {
      const changed =
        change === null
          ? await bob.call('DELETE', member(creator))
          : await bob.call('PATCH', member(creator), { body: change })
      expect(changed.status, JSON.stringify(change)).to.equal(200)
      await linkBy(creator)
      expect(await decide(account), JSON.stringify(change)).to.deep.equal(REFUSED)
      expect(await revocations()).to.equal(1)
      await unlinkBy(creator)
    }
    expect(await decide(account)).to.deep.equal(REFUSED)
    await linkBy(creator)
    expect([await decide(account), await decide(account, own)]).to.deep.equal([REFUSED, GRANTED])
  })

  it('while the organisation is suspended', async () => {
    await revoke(creator)
    await scene.store(
      `INSERT INTO interventions (subject_id, reason, decided_by, decided_at) VALUES (?, 'spam', 'operator', 1)`,
      organizationId,
    )
    await linkBy(creator)
    expect(await revocations()).to.equal(1)
  })

  it('whoever else links it, until somebody does who may add keys to its agents', async () => {
    await revoke(creator)
    const eve = await scene.owner()
    await linkBy(eve)
    expect(await decide(account)).to.deep.equal(REFUSED)
    await unlinkBy(eve)
    await linkBy(bob)
    expect(await decide(account)).to.deep.equal(GRANTED)
    expect(await revocations()).to.equal(0)
  })

  it('whoever links it without the passkey that adding keys needs', async () => {
    const cleo = await scene.owner({ withPasskey: false })
    await scene.store(
      `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, 'admin', 'active', 1)`,
      ...[organizationId, cleo.userId],
    )
    await revoke(creator)
    await link(account, cleo, {})
    expect(await decide(account)).to.deep.equal(REFUSED)
  })

  it('as what its creator unlinks, and restores by linking it while the creator may add keys', async () => {
    await linkBy(creator)
    await unlinkBy(creator)
    expect(await decide(account)).to.deep.equal(REFUSED)
    await linkBy(creator)
    expect(await decide(account)).to.deep.equal(GRANTED)
    await unlinkBy(creator)
    expect((await bob.call('PATCH', member(creator), { body: { role: 'viewer' } })).status).to.equal(200)
    await linkBy(creator)
    expect(await decide(account)).to.deep.equal(REFUSED)
  })
})
