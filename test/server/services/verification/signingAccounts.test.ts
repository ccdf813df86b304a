import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import { signByAccount } from '../../../builders/signByAccount.ts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import type { Owner } from '../approvals/openOwnerScene.ts'
import { newAccount, openSigningAccounts, type SigningAccounts, URL } from './openSigningAccounts.ts'

describe('the Ethereum accounts that sign for an agent', () => {
  let opened: SigningAccounts
  let scene: SigningAccounts['scene']
  let counterpartyId: string
  let ada: Owner
  let registering: PrivateKeyAccount
  let linked: PrivateKeyAccount
  let svcId: string

  before(async () => {
    opened = await openSigningAccounts()
    scene = opened.scene
    counterpartyId = opened.counterpartyId
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    ;({ ada, registering, linked, svcId } = await opened.owner())
  })

  const link = (account: PrivateKeyAccount, by = ada, headers: Record<string, string> = {}) =>
    opened.link(by, account, headers)
  const unlink = (account: PrivateKeyAccount) => opened.unlink(ada, account)
  const register = (account: PrivateKeyAccount) => opened.register(account)
  const decide = (account: PrivateKeyAccount, agentId = svcId) => opened.decide(account, agentId)
  const elevationOf = async (by: Owner) => ({ 'x-svc-elevation': await by.elevation() })
  const tokenStatus = async (account: PrivateKeyAccount) => (await opened.askToken(account, svcId)).status
  /** Presents a payment that an account signed. */
  const pay = async (account: PrivateKeyAccount) => {
    const seconds = Math.floor(scene.time.now / 1000)
    const times = { validAfter: String(seconds - 60), validBefore: String(seconds + 60) }
    const value = JSON.stringify(await signX402Payment(account, times))
    const callerMetadata = await signByAccount(registering, { svcId, url: URL, now: scene.time.now })
    const body = { agentId: svcId, counterpartyId, callerMetadata, mandate: { protocol: 'x402', value } }
    const { recommendation, access } = (await scene.verifyUnproven(body)).body
    return [recommendation, ...(access.failures ?? []).map((one: { dimension: string }) => one.dimension)]
  }
  const GRANTED = ['grant', 'signature']
  const REFUSED = ['deny', 'none', 'agent.proof']

  it('are the wallets that its owner has linked, and nobody else’s (ERC-8128)', async () => {
    for (const account of [registering, linked]) {
      expect(await decide(account)).to.deep.equal(GRANTED)
      expect(await tokenStatus(account)).to.equal(200)
    }
    const stranger = newAccount()
    await link(stranger, await scene.owner({ withPasskey: false }))
    for (const account of [stranger, newAccount()]) {
      expect(await decide(account)).to.deep.equal(REFUSED)
      expect(await tokenStatus(account)).to.equal(403)
    }
    // No payment tells whose wallet it is: one that is only linked pays for nothing.
    expect(await pay(registering)).to.deep.equal(['grant'])
    expect(await pay(linked)).to.deep.equal(['deny', 'commerce.mandate'])
  })

  it('include a wallet from the first request after it is linked', async () => {
    const later = newAccount()
    expect(await decide(later)).to.deep.equal(REFUSED)
    await link(later)
    expect(await decide(later)).to.deep.equal(GRANTED)
  })

  it('exclude an unlinked wallet from the next request on, also the one that registered the agent', async () => {
    for (const account of [registering, linked]) {
      expect(await decide(account)).to.deep.equal(GRANTED)
      await unlink(account)
      expect(await decide(account)).to.deep.equal(REFUSED)
      expect(await tokenStatus(account)).to.equal(403)
    }
    await link(registering)
    expect([await decide(registering), await decide(linked)]).to.deep.equal([GRANTED, REFUSED])
  })

  it('exclude a wallet that another process has unlinked, of which this one may not know yet', async () => {
    expect(await decide(linked)).to.deep.equal(GRANTED)
    const revocation = { ownerId: ada.developerId, address: linked.address.toLowerCase() }
    await scene.store(
      'INSERT INTO used_proofs (proof, expires_at) VALUES (?, ?)',
      ...[accountRevocationOf(revocation), scene.time.now + 60_000],
    )
    expect([await decide(linked), await decide(registering)]).to.deep.equal([REFUSED, GRANTED])
  })

  it('exclude an unlinked wallet until it is linked again, for organisations with a passkey', async () => {
    const organizationId = await ada.organizationWith([])
    const stored = async () => {
      const address = linked.address.toLowerCase()
      const proofs = [ada.developerId, organizationId].map((ownerId) =>
        accountRevocationOf({ ownerId, address }),
      )
      const rows = await scene.store('SELECT proof FROM used_proofs WHERE proof IN (?, ?)', ...proofs)
      return rows.length
    }
    await unlink(linked)
    expect(await stored()).to.equal(2)
    await link(linked)
    expect([await stored(), await decide(linked)]).to.deep.equal([1, GRANTED])
  })

  it('exclude an unlinked wallet that the chain still names as the agent’s', async () => {
    const wallet = registering.address.toLowerCase()
    await scene.store('DELETE FROM agent_tokens WHERE svc_id = ?', svcId)
    await scene.store(
      `INSERT INTO agent_tokens (svc_id, custody, holder, wallet, uri, seen_block) VALUES (?, 'owner', ?, ?, '', 1)`,
      ...[svcId, wallet, wallet],
    )
    await unlink(registering)
    expect(await decide(registering)).to.deep.equal(REFUSED)
  })

  it('include the wallet that a token names, and exclude the relayer’s account that holds it in custody', async () => {
    const named = newAccount()
    const address = named.address.toLowerCase()
    for (const [custody, holder, expected] of [
      ['registry', address, REFUSED],
      ['registry', newAccount().address.toLowerCase(), GRANTED],
      ['owner', registering.address.toLowerCase(), GRANTED],
      ['owner', address, REFUSED],
    ] as const) {
      const agentId = await register(registering)
      await scene.store('DELETE FROM agent_tokens WHERE svc_id = ?', agentId)
      await scene.store(
        `INSERT INTO agent_tokens (svc_id, custody, holder, wallet, uri, seen_block) VALUES (?, ?, ?, ?, '', 1)`,
        ...[agentId, custody, holder, address],
      )
      const listed = (await ada.call('GET', `/api/agents/${agentId}/keys`)).body.accounts
      const isListed = listed.some((one: { address: string }) => one.address === address)
      expect(isListed, custody).to.equal(expected === GRANTED)
      expect(await decide(named, agentId), custody).to.deep.equal(expected)
    }
  })

  it('exclude a wallet that was unlinked from the account before it was merged into another', async () => {
    const [first, second] = [newAccount(), newAccount()]
    const own = async (account: PrivateKeyAccount, bearer?: string) => {
      const body = await buildSiweBody(scene.baseUrl, account)
      return (await scene.call('POST', '/api/auth/siwe', { body, ...(bearer ? { bearer } : {}) })).body
    }
    const bearer = (await own(first)).data.accessToken
    await own(second, bearer)
    const agentId = await register(first)
    expect(await decide(first, agentId)).to.deep.equal(GRANTED)
    await scene.call('DELETE', `/api/auth/wallets/${first.address}`, { bearer })
    await link(second)
    expect(await decide(first, agentId)).to.deep.equal(REFUSED)
    expect(await decide(second, agentId)).to.deep.equal(GRANTED)
    await link(first)
    expect(await decide(first, agentId)).to.deep.equal(GRANTED)
  })

  it('exclude, for an organisation’s agent, the wallets of its members', async () => {
    const organizationId = await ada.organizationWith([])
    await scene.store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', organizationId, svcId)
    expect(await decide(linked)).to.deep.equal(REFUSED)
    expect(await decide(registering)).to.deep.equal(GRANTED)
    await unlink(registering)
    expect(await decide(registering)).to.deep.equal(REFUSED)
  })

  it('include the agentWallet of an organisation’s agent while somebody who administers it holds the token', async () => {
    const bob = await scene.owner({ withPasskey: false })
    const organizationId = await ada.organizationWith([[bob, 'admin']])
    const [held, set] = [newAccount(), newAccount()]
    await link(held, bob)
    await waitUntil(async () => {
      const rows = await scene.store('SELECT holder FROM agent_tokens WHERE svc_id = ?', svcId)
      return rows.length > 0 ? rows : null
    })
    await scene.store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', organizationId, svcId)
    await scene.store(
      'UPDATE agent_tokens SET holder = ?, wallet = ? WHERE svc_id = ?',
      ...[held.address, set.address, svcId],
    )
    const setRole = async (role: string) => {
      const path = `/api/organizations/${organizationId}/members/${bob.userId}`
      expect((await ada.call('PATCH', path, { body: { role } })).status).to.equal(200)
    }
    expect(await decide(set)).to.deep.equal(GRANTED)
    await setRole('member')
    expect(await decide(set)).to.deep.equal(REFUSED)
    await setRole('admin')
    expect(await decide(set)).to.deep.equal(GRANTED)
    await bob.call('DELETE', `/api/auth/wallets/${held.address}`)
    expect(await decide(set)).to.deep.equal(REFUSED)
    expect(await decide(held)).to.deep.equal(REFUSED)
  })

  it('exclude an account that its owner revokes, such as the agent’s own key, until the owner links it', async () => {
    ada = await scene.owner()
    const own = newAccount()
    const address = own.address.toLowerCase()
    svcId = await ada.agent()
    await scene.store('UPDATE agents SET signer_address = ? WHERE svc_id = ?', address, svcId)
    linked = newAccount()
    await link(linked, ada, await elevationOf(ada))
    const revoke = async (by: Owner, account: PrivateKeyAccount) =>
      by.call('DELETE', `/api/agents/${svcId}/accounts/${account.address}`, {
        headers: await elevationOf(by),
      })
    const accountsSeenBy = async (by: Owner) =>
      (await by.call('GET', `/api/agents/${svcId}/keys`)).body.accounts.map(
        (one: { address: string; source: string }) => [one.address, one.source],
      )
    const proofOf = async (account: PrivateKeyAccount) => (await decide(account))[1]
    const eve = await scene.owner()
    const wallet = [linked.address.toLowerCase(), 'linked_wallet']
    const registered = [address, 'registration']
    expect(await accountsSeenBy(ada)).to.deep.include.members([wallet, registered])
    expect(await accountsSeenBy(eve)).to.deep.equal([])
    expect(await proofOf(own)).to.equal('signature')
    expect((await revoke(eve, own)).status).to.equal(403)
    expect(await revoke(ada, linked)).to.deep.include({ status: 409 })
    expect((await revoke(ada, newAccount())).status).to.equal(404)
    const direct = await ada.call('DELETE', `/api/agents/${svcId}/accounts/${address}`)
    expect([direct.status, direct.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    expect(await proofOf(own)).to.equal('signature')

    expect((await revoke(ada, own)).body).to.deep.equal({ success: true, address })
    expect(await proofOf(own)).to.equal('none')
    expect(await tokenStatus(own)).to.equal(403)
    expect(await accountsSeenBy(ada))
      .to.deep.include(wallet)
      .and.not.deep.include(registered)
    expect((await revoke(ada, own)).status).to.equal(404)
    const events = await ada.call('GET', `/api/activity?agent=${svcId}&eventType=agent.key_revoked`)
    expect(events.body.items.map((one: { eventData: { kid: string } }) => one.eventData.kid)).to.deep.equal([
      address,
    ])
    await link(own, ada, await elevationOf(ada))
    expect(await proofOf(own)).to.equal('signature')
  })
})
