import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { getAddress, type Hex } from 'viem'
import { newPerson, type Person } from '../openRegistry.ts'
import { type Custody, openCustody } from './openCustody.ts'

/** Accounts of the local chain, which signs for them. */
const ADA: Hex = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const BEA: Hex = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
const [FIRST, SECOND] = ['https://first.svc-host.io', 'https://second.svc-host.io']

describe('a start with another public URL, over a restarted development chain', function () {
  this.timeout(120_000)
  let custody: Custody
  let owner: Person
  let kept: string
  let handed: string
  let moved: string
  const former: Record<string, { agentId: number }> = {}

  const fileOf = (url: string, svcId: string) => `${url}/registration-files/${svcId}.json`
  const read = async (svcId: string, bearer?: string) =>
    (await custody.call('GET', `/api/agents/${svcId}`, bearer === undefined ? {} : { bearer })).body.agent
  const tokenOf = async (svcId: string) => {
    const { agentId } = (await read(svcId)).onChainIdentity
    const { identity, readHead } = custody.chain()
    return identity.readToken(await custody.registry(), BigInt(agentId), (await readHead()).number)
  }
  const sign = async (from: Hex, name: string) => {
    const { tokenActions } = await read(handed, owner.bearer)
    const action = tokenActions.find((found: { function: string }) => found.function.startsWith(name))
    await custody.send(from, action.to, action.data)
  }
  const restart = async (url: string) => {
    await custody.restart(url)
    const { data } = (await custody.call('POST', '/api/auth/login', { body: credentials })).body
    owner = { ...owner, bearer: data.accessToken }
  }
  let credentials: { email: string; password: string }

  before(async () => {
    custody = await openCustody()
    owner = await newPerson({ call: custody.call })
    const user = await custody.db().query('users').select('email').where({ id: owner.userId }).first()
    credentials = { email: user.email, password: 'correct horse battery' }
    await custody.linkWallet(ADA, owner.userId)
    kept = await custody.register(owner.developerId)
    handed = await custody.register(owner.developerId)
    moved = await custody.register(owner.developerId)
    for (const svcId of [kept, handed, moved]) await custody.seen(svcId, { custody: 'registry' })
    for (const svcId of [handed, moved]) {
      await custody.call('POST', `/api/agents/${svcId}/hand-over`, {
        bearer: owner.bearer,
        body: { address: ADA },
      })
      await custody.seen(svcId, { custody: 'owner', owner: ADA })
    }
    const { agentId } = (await read(moved)).onChainIdentity
    const data = custody.chain().identity.encodeTransfer(ADA, BEA, BigInt(agentId))
    await custody.send(ADA, await custody.registry(), data)
    await custody.seen(moved, { owner: BEA })
    await custody.settled()
    for (const svcId of [kept, handed, moved]) former[svcId] = (await read(svcId)).onChainIdentity
    await restart(SECOND)
    await custody.seen(kept, { blockchainStatus: 'verified', isTokenUriCurrent: true })
    await custody.seen(handed, { blockchainStatus: 'verified', custody: 'owner' })
    await custody.seen(moved, { blockchainStatus: 'verified', custody: 'owner' })
    await custody.settled()
  })
  after(() => custody.close())

  it('restores every token with its id and holder, whoever moved it', async () => {
    for (const [svcId, holder] of [
      [kept, custody.chain().relayerAddress],
      [handed, ADA],
      [moved, BEA],
    ] as const) {
      const { onChainIdentity } = await read(svcId)
      expect(onChainIdentity).to.include({ agentId: former[svcId]?.agentId, owner: holder })
      expect((await tokenOf(svcId))?.owner).to.equal(holder)
    }
  })

  it('points the tokens in custody to the new URL', async () => {
    expect((await tokenOf(kept))?.uri).to.equal(fileOf(SECOND, kept))
    expect((await read(kept)).onChainIdentity.tokenUri).to.equal(fileOf(SECOND, kept))
  })

  it('rewrites the registration files and commits to them', async () => {
    const { registrationFileHash } = await read(handed, owner.bearer)
    const response = await fetch(`${custody.url()}/registration-files/${handed}.json`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(sha256Hex(bytes)).to.equal(registrationFileHash)
    expect(bytes.toString()).to.contain(SECOND).and.not.contain(FIRST)
  })

  it('reports that a token held by its owner points elsewhere, and what to sign', async () => {
    const agent = await read(handed, owner.bearer)
    expect(agent.onChainIdentity).to.include({ tokenUri: fileOf(FIRST, handed), isTokenUriCurrent: false })
    expect(agent.registrationFileUrl).to.equal(fileOf(SECOND, handed))
    const functions = agent.tokenActions.map((action: { function: string }) => action.function)
    expect(functions).to.include.members(['setAgentURI(uint256,string)', 'approve(address,uint256)'])
    expect((await tokenOf(handed))?.uri).to.equal(fileOf(FIRST, handed))
    expect((await read(moved)).onChainIdentity.isTokenUriCurrent).to.equal(false)
  })

  it('points a token to the new URL once its owner approves the relayer', async () => {
    await sign(ADA, 'approve')
    const agent = await custody.seen(handed, { isTokenUriCurrent: true, owner: ADA }, owner.bearer)
    expect(agent.onChainIdentity.tokenUri).to.equal(fileOf(SECOND, handed))
  })

  it('does so for all tokens of an owner who approves the relayer for all', async () => {
    const data = approvalForAll(custody.chain().relayerAddress)
    await custody.send(BEA, await custody.registry(), data)
    await custody.seen(moved, { isTokenUriCurrent: true, owner: BEA })
  })

  it('does nothing at a start with the same URL', async () => {
    await custody.settled()
    await restart(SECOND)
    await custody.seen(kept, { blockchainStatus: 'verified', isTokenUriCurrent: true })
    await custody.settled()
    const intents = await custody.db().query('relayer_intents').where({ kind: 'identity.setUri' })
    expect(intents).to.deep.equal([])
  })

  it('returns to an earlier URL, and shows a change that the owner signed independently', async () => {
    await restart(FIRST)
    await custody.seen(kept, { blockchainStatus: 'verified', isTokenUriCurrent: true })
    expect((await tokenOf(kept))?.uri).to.equal(fileOf(FIRST, kept))
    await custody.seen(handed, { tokenUri: fileOf(SECOND, handed), isTokenUriCurrent: false })
    await sign(ADA, 'setAgentURI')
    await custody.seen(handed, { tokenUri: fileOf(FIRST, handed), isTokenUriCurrent: true })
  })
})

/** `setApprovalForAll(operator, true)`. */
function approvalForAll(operator: Hex): Hex {
  return `0xa22cb465${operator.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
}
