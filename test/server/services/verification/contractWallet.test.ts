import { expect } from 'chai'
import { encodeAbiParameters, encodeFunctionData, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { identityRegistry } from '../../../../server/chain/artifacts/identityRegistry.ts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import { signByAccount } from '../../../builders/signByAccount.ts'
import { compileContract } from '../../../contracts/compileContract.ts'
import { createRpc } from '../../../harness/chain/createRpc.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

/** The published keys of accounts for which the local chain sends transactions. */
const OWNER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const BUYER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
const URL = 'https://contract.acme.io/orders/1'

describe('the agentWallet of a token on the local chain, a contract (ERC-1271)', function () {
  this.timeout(120_000)
  const owner = privateKeyToAccount(OWNER_KEY)
  /** Gets the token, and nothing else of the agent. */
  const buyer = privateKeyToAccount(BUYER_KEY)
  /** The key by which the contract accepts signatures. */
  const signer = privateKeyToAccount(generatePrivateKey())
  let service: StartedService
  let shop: Organisation
  let counterpartyId: string
  let svcId: string
  let wallet: Hex

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    const asking = { counterpartyUrl: 'https://contract.acme.io', minIdentityProof: 'signature' }
    counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, asking)
    svcId = (await registerAgent(service.baseUrl, {}, { account: owner })).svcId
    await identityWhere(({ custody }) => custody === 'owner')
    wallet = await deployWallet()
  })
  after(() => service?.stop())

  type Identity = { custody: string; agentId: number; owner: string | null; agentWallet: string | null }
  const identityWhere = (isSeen: (identity: Identity) => boolean) =>
    waitUntil(async (): Promise<Identity | null> => {
      const { agent } = (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body
      const identity = agent.onChainIdentity
      return agent.blockchainStatus === 'verified' && identity !== null && isSeen(identity) ? identity : null
    })
  const rpc = (method: string, params: unknown[]) => createRpc(service.rpcUrl)(method, params)
  const send = async (transaction: object, from = owner) => {
    const hash = await rpc('eth_sendTransaction', [{ from: from.address, ...transaction }])
    return waitUntil(async () => {
      const receipt = await rpc('eth_getTransactionReceipt', [hash])
      return receipt as { contractAddress: Hex | null; status: string } | null
    })
  }
  const deployWallet = async () => {
    const { bytecode } = await compileContract('ContractWallet', 'test/solidity/mocks')
    const argument = encodeAbiParameters([{ type: 'address' }], [signer.address]).slice(2)
    const { contractAddress } = await send({ data: bytecode + argument })
    return getAddress(String(contractAddress))
  }
  const registryOf = async (): Promise<Hex> =>
    (await api(service.baseUrl, 'GET', '/api/chain')).body.contracts.identityRegistry
  /** Makes the contract the wallet of the agent, with its consent (EIP-712), as any holder of the token would. */
  const setAgentWallet = async (holder = owner) => {
    const { agentId } = await identityWhere(() => true)
    const verifyingContract = await registryOf()
    // The chain's clock, which tests before this one may have advanced.
    const block = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
    const deadline = BigInt(block.timestamp) + 240n
    const message = { agentId: BigInt(agentId), newWallet: wallet, owner: holder.address, deadline }
    const signature = await signer.signTypedData({
      domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId: 31_337, verifyingContract },
      types: {
        AgentWalletSet: [
          { name: 'agentId', type: 'uint256' },
          { name: 'newWallet', type: 'address' },
          { name: 'owner', type: 'address' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'AgentWalletSet',
      message,
    })
    const args = [message.agentId, wallet, deadline, signature] as const
    const data = encodeFunctionData({ abi: identityRegistry.abi, functionName: 'setAgentWallet', args })
    expect(await send({ to: verifyingContract, data }, holder)).to.include({ status: '0x1' })
  }
  const transfer = async () => {
    const { agentId } = await identityWhere(() => true)
    const args = [owner.address, buyer.address, BigInt(agentId)] as const
    const data = encodeFunctionData({ abi: identityRegistry.abi, functionName: 'transferFrom', args })
    expect(await send({ to: await registryOf(), data })).to.include({ status: '0x1' })
  }
  type Alert = { code: string; severity: string; data: Record<string, string> }
  const alertsOfOwner = async () => {
    const body = await buildSiweBody(service.baseUrl, owner)
    const bearer = (await api(service.baseUrl, 'POST', '/api/auth/siwe', { body })).body.data.accessToken
    const { items } = (await api(service.baseUrl, 'GET', '/api/alerts', { bearer })).body
    return items as Alert[]
  }
  const decide = async (by = signer) => {
    const sent = { svcId, url: URL, now: Date.now(), named: wallet }
    const body = { agentId: svcId, counterpartyId, callerMetadata: await signByAccount(by, sent) }
    const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      ...{ bearer: shop.apiKey, body },
    })
    return [answer.body.recommendation, answer.body.identityProof]
  }

  it('signs requests from when the service has read it from the chain, and accepts only its own key', async () => {
    expect(await decide()).to.deep.equal(['deny', 'none'])
    await setAgentWallet()
    await identityWhere(({ agentWallet }) => agentWallet === wallet)
    expect(await decide()).to.deep.equal(['grant', 'signature'])
    expect(await decide(privateKeyToAccount(generatePrivateKey()))).to.deep.equal(['deny', 'none'])
  })

  it('signs nothing once somebody else holds the token, who may set it as often as they like; its owner is warned', async () => {
    await transfer()
    await setAgentWallet(buyer)
    await identityWhere((seen) => seen.owner === buyer.address && seen.agentWallet === wallet)
    expect(await decide()).to.deep.equal(['deny', 'none'])
    const path = `/api/agents/${svcId}/token`
    const headers = await signHeaders(buyer, { method: 'POST', path, body: '' })
    expect((await api(service.baseUrl, 'POST', path, { headers })).status).to.equal(403)
    const alerts = (await alertsOfOwner()).map(({ severity, code, data }) => [
      ...[severity, code, data.agentId, data.holder],
      ...[data.wallet, data.signs],
    ])
    expect(alerts).to.have.deep.members([
      ['critical', 'agent.wallet_set', svcId, owner.address, wallet, 'true'],
      ['critical', 'agent.token_transferred', svcId, buyer.address, undefined, undefined],
      ['critical', 'agent.wallet_set', svcId, buyer.address, wallet, 'false'],
    ])
  })
})
