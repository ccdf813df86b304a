import { expect } from 'chai'
import { buildAgentRow } from '../../../builders/buildAgentRow.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import type { HttpAnswer } from '../accounts/openAccounts.ts'
import { openWalletSignIn, type WalletSignIn } from './openWalletSignIn.ts'

describe('linking a wallet', () => {
  let accounts: WalletSignIn['accounts']
  let newKey: WalletSignIn['newKey']
  let person: WalletSignIn['person']
  let signed: WalletSignIn['signed']
  let send: WalletSignIn['send']
  let me: WalletSignIn['me']
  let passkeyOf: WalletSignIn['passkeyOf']

  before(async () => {
    ;({ accounts, newKey, person, signed, send, me, passkeyOf } = await openWalletSignIn(async () => false))
  })
  after(() => accounts?.close())

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  /** An agent of a wallet’s account, with the fields that matter for ownership. */
  async function agentOf(ownerId: string, svcId: string) {
    const columns = { ...buildAgentRow(svcId, 1), owner_id: ownerId, name: 'Shopper' }
    await accounts.db.query('agents').insert(columns)
  }

  it('allows the wallet to sign in to the account', async () => {
    const ada = await person()
    const key = newKey()
    const linked = await send(await signed(key), ada.accessToken)
    expect(linked.status).to.equal(200)
    expect(linked.body).to.deep.equal({ success: true, address: key.address, movedAgents: [] })
    expect((await send(await signed(key))).body.data.user.id).to.equal(ada.userId)
    expect((await ada.call('GET', '/api/me')).body.wallets).to.deep.equal([key.address.toLowerCase()])
    const again = await send(await signed(key), ada.accessToken)
    expect(again.body).to.deep.equal(linked.body)
    expect(await mailsTo(accounts, ada.email, 'sign_in_added')).to.have.length(1)
  })

  it('moves the wallet’s agents and signs its own account out', async () => {
    const ada = await person()
    const key = newKey()
    const before = (await send(await signed(key))).body.data
    await agentOf(before.user.developerId, 'SVC-moved')
    const linked = await send(await signed(key), ada.accessToken)
    expect(linked.body.movedAgents).to.deep.equal(['SVC-moved'])
    const agent = await accounts.db.query('agents').select('owner_id').where({ svc_id: 'SVC-moved' }).first()
    expect(agent?.owner_id).to.equal(ada.developerId)
    await placeRecords(accounts.db.query)
    const record = await accounts.db
      .query('audit_records')
      .select('owner_id', 'event_data')
      .where({ agent_id: 'SVC-moved', event_type: 'agent.owner_changed' })
      .first()
    expect(record?.owner_id).to.equal(ada.developerId)
    expect(record?.event_data).to.contain(before.user.developerId)
    expect(outcome(await me(before.accessToken))).to.deep.equal([401, 'UNAUTHENTICATED'])
    expect((await send(await signed(key))).body.data.user.id).to.equal(ada.userId)
    expect(accounts.changed).to.include(ada.userId)
  })

  it('is refused if the wallet’s account has other contents, and moves nothing', async () => {
    const ada = await person()
    const held = {
      'a passkey': async (owner: { accessToken: string }) => void (await passkeyOf(owner)),
      'an organisation': (owner: { accessToken: string }) =>
        accounts.call('POST', '/api/organizations', { bearer: owner.accessToken, body: { name: 'Acme' } }),
      'an API key': (owner: { accessToken: string }) =>
        accounts.call('POST', '/api/api-keys', { bearer: owner.accessToken, body: { name: 'key' } }),
      'a second wallet': async (owner: { accessToken: string }) =>
        send(await signed(newKey()), owner.accessToken),
      'documents of its owner': async (owner: { user: { id: string } }) =>
        accounts.db.query('kyd_cases').insert({
          id: 'case',
          user_id: owner.user.id,
          status: 'rejected',
          submitted_at: accounts.time.now,
        }),
      'an identity at a provider': async (owner: { user: { id: string } }) =>
        accounts.db.query('linked_identities').insert({
          id: 'identity',
          user_id: owner.user.id,
          provider: 'google',
          issuer: 'https://accounts.google.com',
          subject: '1',
          linked_at: accounts.time.now,
        }),
    }
    for (const [what, give] of Object.entries(held)) {
      const key = newKey()
      const own = (await send(await signed(key))).body.data
      await give(own)
      const refused = await send(await signed(key), ada.accessToken)
      expect(outcome(refused), what).to.deep.equal([409, 'INVALID_STATE'])
      expect((await me(own.accessToken)).body.wallets, what).to.include(key.address.toLowerCase())
    }
  })

  it('is refused if another account with an e-mail address has the wallet', async () => {
    const [ada, eve, key] = [await person(), await person(), newKey()]
    expect((await send(await signed(key), ada.accessToken)).status).to.equal(200)
    expect(outcome(await send(await signed(key), eve.accessToken))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('requires a fresh passkey from an account that has one', async () => {
    const ada = await person()
    const elevate = await passkeyOf(ada)
    const once = await signed(newKey())
    expect(outcome(await send(once, ada.accessToken))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    expect((await send(once, ada.accessToken, await elevate())).status).to.equal(200)
  })

  it('is refused for an invalid signature like signing in', async () => {
    const ada = await person()
    const { message } = await signed(newKey())
    const signature = await newKey().signMessage({ message })
    expect(outcome(await send({ message, signature }, ada.accessToken))).to.deep.equal([
      401,
      'invalid_signature',
    ])
  })
})
