import { expect } from 'chai'
import { getAddress, type Hex } from 'viem'
import { handOverAgent } from '../../../../../server/services/agents/token/handOverAgent.ts'
import { SESSION_PRINCIPAL } from '../../../../builders/sessionPrincipal.ts'
import { suspendInDatabase } from '../../../../builders/suspendInDatabase.ts'
import { placeRecords } from '../../../../harness/database/placeRecords.ts'
import { newPerson, type Person } from '../openRegistry.ts'
import { type Custody, openCustody } from './openCustody.ts'

/** Accounts of the local chain, which signs for them. */
const ADA: Hex = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const BEA: Hex = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')

describe('an agent of an owner without a wallet', function () {
  this.timeout(120_000)
  let custody: Custody
  let owner: Person
  let svcId: string

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const handOver = (address: string, bearer = owner.bearer, id = svcId) =>
    custody.call('POST', `/api/agents/${id}/hand-over`, { bearer, body: { address } })
  const ownerOf = async (agentId: number) =>
    custody.chain().identity.readOwner(await custody.registry(), BigInt(agentId))
  const inCustody = async (ownerId = owner.developerId) => {
    const id = await custody.register(ownerId)
    await custody.seen(id, { blockchainStatus: 'verified', custody: 'registry' })
    return id
  }
  const newOwner = async (...wallets: Hex[]) => {
    const person = await newPerson({ call: custody.call })
    for (const wallet of wallets) {
      await custody.db().query('wallets').where({ address: wallet.toLowerCase() }).delete()
      await custody.linkWallet(wallet, person.userId)
    }
    return person
  }

  before(async () => {
    custody = await openCustody()
  })
  beforeEach(async () => {
    owner = await newOwner(ADA)
    svcId = await inCustody()
  })
  after(() => custody.close())

  it('is verified while the relayer holds its token, and reports this to anyone', async () => {
    const agent = await custody.seen(svcId, { blockchainStatus: 'verified', custody: 'registry' })
    const { onChainIdentity } = agent
    expect(onChainIdentity).to.deep.include({
      owner: custody.chain().relayerAddress,
      agentWallet: custody.chain().relayerAddress,
      tokenUri: `https://first.svc-host.io/registration-files/${svcId}.json`,
      isTokenUriCurrent: true,
    })
    expect(await ownerOf(onChainIdentity.agentId)).to.equal(custody.chain().relayerAddress)
    expect(agent).not.to.have.any.keys('tokenActions', 'handOver')
  })

  it('receives its token immediately if the owner has a wallet and is not an organisation', async () => {
    const mine = await custody.register(owner.developerId, [ADA])
    const ours = await custody.register(owner.organizationId, [ADA])
    await custody.seen(mine, { blockchainStatus: 'verified', custody: 'owner', owner: ADA })
    await custody.seen(ours, { blockchainStatus: 'verified', custody: 'registry' })
  })

  describe('handing over the token', () => {
    it('transfers the token to a linked wallet, clears the agentWallet and returns what to sign', async () => {
      const { status, body } = await handOver(ADA)
      expect([status, body.agent.handOver]).to.deep.equal([202, { address: ADA, status: 'pending' }])
      expect(body.agent.onChainIdentity.custody).to.equal('registry')
      const agent = await custody.seen(
        svcId,
        { custody: 'owner', owner: ADA, agentWallet: null },
        owner.bearer,
      )
      expect(await ownerOf(agent.onChainIdentity.agentId)).to.equal(ADA)
      expect(agent.blockchainStatus).to.equal('verified')
      expect(agent.tokenActions.map((action: { function: string }) => action.function)).to.deep.equal([
        'setAgentWallet(uint256,address,uint256,bytes)',
      ])
      await custody.settled()
      const done = (await custody.call('GET', `/api/agents/${svcId}`, { bearer: owner.bearer })).body.agent
      expect(done.handOver).to.deep.equal({ address: ADA, status: 'done' })
    })

    it('is one transfer however often it is requested, and none when it is done', async () => {
      const answers = await Promise.all([handOver(ADA), handOver(ADA.toLowerCase())])
      expect(answers.map(({ status }) => status)).to.deep.equal([202, 202])
      await custody.seen(svcId, { custody: 'owner' })
      await custody.settled()
      expect((await handOver(ADA)).status).to.equal(202)
      expect((await custody.db().query('relayer_transactions').count({ n: '*' }))[0]?.n).to.equal(
        (await custody.chain().readTransactionCount(custody.chain().relayerAddress)) - DEPLOYMENT_NONCES,
      )
      await placeRecords(custody.db().query)
      const events = await custody.db().query('audit_records').select('event_type').where({ agent_id: svcId })
      const types = events.map((row) => row.event_type)
      expect(types.filter((type) => type === 'agent.hand_over_ordered').length).to.equal(1)
      expect(types.filter((type) => type === 'agent.token_transferred').length).to.equal(1)
    })

    it('is refused for a wallet that is not linked to the account', async () => {
      const refused = await handOver(BEA)
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors).to.deep.include.members([
        { pointer: '/address', code: 'not_linked', message: 'is not a wallet that is linked to the account' },
      ])
      expect(outcome(await handOver('0x12'))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('is refused for another wallet while it is in progress, and once it is done', async () => {
      await custody.linkWallet(BEA, owner.userId)
      await handOver(ADA)
      expect(outcome(await handOver(BEA))).to.deep.equal([409, 'INVALID_STATE'])
      await custody.seen(svcId, { custody: 'owner' })
      expect(outcome(await handOver(BEA))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('is refused before the agent is on chain', async () => {
      const id = await custody.register(owner.developerId)
      expect(outcome(await handOver(ADA, owner.bearer, id))).to.deep.equal([409, 'INVALID_STATE'])
      await custody.seen(id, { custody: 'registry' })
    })

    it('is refused in the transaction for an owner who was suspended after the request was authenticated', async () => {
      for (const [ownerId, code] of [
        [owner.developerId, 'ACCOUNT_SUSPENDED'],
        [owner.organizationId, 'ORGANIZATION_SUSPENDED'],
      ] as const) {
        const id = await inCustody(ownerId)
        const { userId, developerId } = owner
        const principal = { ...SESSION_PRINCIPAL, userId, developerId }
        await suspendInDatabase(custody, ownerId)
        const refused = await handOverAgent(custody.agentDeps(), {
          id,
          principal,
          address: ADA,
          now: 1,
        }).catch((error: { code?: string }) => error.code)
        await custody.db().query('interventions').delete()
        expect(refused).to.equal(code)
      }
    })

    it('can be requested by the owner, and in an organisation by its owners and admins', async () => {
      const eve = await newOwner(BEA)
      expect(outcome(await handOver(BEA, eve.bearer))).to.deep.equal([403, 'FORBIDDEN'])
      expect(outcome(await handOver(ADA, owner.personalKey))).to.deep.equal([403, 'SESSION_REQUIRED'])
      const missing = await handOver(ADA, owner.bearer, 'SVC-0000000000000000000009')
      expect(outcome(missing)).to.deep.equal([404, 'NOT_FOUND'])
      const ours = await inCustody(owner.organizationId)
      const row = {
        organization_id: owner.organizationId,
        user_id: eve.userId,
        status: 'active',
        created_at: 1,
      }
      await custody
        .db()
        .query('memberships')
        .insert({ ...row, role: 'member' })
      expect(outcome(await handOver(BEA, eve.bearer, ours))).to.deep.equal([403, 'FORBIDDEN'])
      expect((await handOver(ADA, owner.bearer, ours)).status).to.equal(202)
      await custody.seen(ours, { custody: 'owner', owner: ADA })
    })
  })

  it('is tracked when the owner moves the token independently, back and forth', async () => {
    await handOver(ADA)
    const agent = await custody.seen(svcId, { custody: 'owner', owner: ADA })
    const agentId = BigInt(agent.onChainIdentity.agentId)
    const { identity, relayerAddress } = custody.chain()
    const registry = await custody.registry()
    await custody.send(ADA, registry, identity.encodeTransfer(ADA, BEA, agentId))
    await custody.seen(svcId, { custody: 'owner', owner: BEA })
    await custody.send(BEA, registry, identity.encodeTransfer(BEA, relayerAddress, agentId))
    await custody.seen(svcId, { custody: 'registry', owner: relayerAddress })
    await custody.settled()
    expect((await handOver(ADA)).status).to.equal(202)
    await custody.seen(svcId, { custody: 'owner', owner: ADA })
  })

  it('is tracked when the owner points it elsewhere, including URIs with characters that databases reject', async () => {
    await handOver(ADA)
    const { onChainIdentity } = await custody.seen(svcId, { custody: 'owner', owner: ADA })
    const { identity } = custody.chain()
    const strange = identity.encodeSetUri(BigInt(onChainIdentity.agentId), 'https://a.test/\0')
    await custody.send(ADA, await custody.registry(), strange)
    await custody.seen(svcId, { tokenUri: 'https://a.test/\ufffd', isTokenUriCurrent: false })
  })
})

/** The transactions that deploy the four contracts and open the log. */
const DEPLOYMENT_NONCES = 5
