import { registerAgent } from '@svc/client'
import { expect } from 'chai'
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  http,
  parseAbi,
  stringToHex,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { registerAgent as registerWithoutConsent } from '../../builders/participants.ts'
import { compileContract } from '../../contracts/compileContract.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

const ABI = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function tokenURI(uint256) view returns (string)',
  'function getMetadata(uint256,string) view returns (bytes)',
  'function getAgentWallet(uint256) view returns (address)',
  'function getIdentityRegistry() view returns (address)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
])

describe('service with a plain ERC-8004 identity registry, which lacks registerFor', function () {
  this.timeout(120_000)
  let node: LocalChain
  let registry: `0x${string}`
  let service: StartedService

  const client = () => createPublicClient({ transport: http(node.url), cacheTime: 0 })
  const read = (
    functionName: 'ownerOf' | 'tokenURI' | 'getMetadata' | 'getAgentWallet',
    args: [bigint] | [bigint, string],
  ) => client().readContract({ address: registry, abi: ABI, functionName, args: args as never })

  before(async () => {
    node = await takeChain()
    registry = await deployPlainRegistry(node)
    service = await startService({
      settings: {
        RPC_URL: node.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        IDENTITY_REGISTRY_ADDRESS: registry,
        CONFIRMATIONS: '1',
        ALLOW_PRIVATE_NETWORK: 'true',
      },
    })
  })
  after(async () => {
    await service?.stop()
    await node.stop()
  })

  const verified = (svcId: string) =>
    waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'verified' ? body.agent : null
    })

  it('deploys the other registries for it', async () => {
    const { body } = await api(service.baseUrl, 'GET', '/api/chain')
    expect(body.contracts.identityRegistry).to.equal(registry)
    for (const address of [body.contracts.reputationRegistry, body.contracts.validationRegistry]) {
      const about = await client().readContract({ address, abi: ABI, functionName: 'getIdentityRegistry' })
      expect(about).to.equal(registry)
    }
  })

  it('mints an agent and transfers it, which clears the wallet, and records the transfer', async () => {
    const { svcId, account } = await registerWithoutConsent(service.baseUrl)
    const { onChainIdentity } = await verified(svcId)
    expect(onChainIdentity).to.deep.include({ agentId: 0, agentRegistry: `eip155:31337:${registry}` })
    await expectOwned(0n, svcId, account.address)
    const receipt = await client().getTransactionReceipt({ hash: onChainIdentity.transactionHash })
    expect([
      receipt.status,
      Number(receipt.blockNumber),
      getAddress(receipt.to ?? zeroAddress),
    ]).to.deep.equal(['success', onChainIdentity.blockNumber, registry])
  })

  it('lists the agent, whose id is 0, in its registration file and among the registrations of the host', async () => {
    const { body } = await api(service.baseUrl, 'GET', '/.well-known/agent-registration.json')
    const own = { agentId: 0, agentRegistry: `eip155:31337:${registry}` }
    expect(body).to.deep.equal({ registrations: [own], next: null })
    const file = await fetch((await read('tokenURI', [0n])) as string)
    expect((await file.json()) as object).to.deep.include({ registrations: [own] })
  })

  it('registers an agent whose owner signed a consent in the same way', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const { body } = await api(service.baseUrl, 'GET', `/api/chain/owners/${owner.address}`)
    expect(body).to.include({ nonce: '0', identityRegistry: registry })
    const fields = { name: 'Minted', apiEndpoint: 'http://127.0.0.1:9/challenge' }
    for (const agentId of [1, 2]) {
      const options = { baseUrl: service.baseUrl, account: owner, agent: fields }
      const { svcId } = await registerAgent(options)
      const { onChainIdentity } = await verified(svcId)
      expect(onChainIdentity.agentId).to.equal(agentId)
      await expectOwned(BigInt(agentId), svcId, owner.address)
    }
  })

  async function expectOwned(agentId: bigint, svcId: string, owner: string) {
    expect(await read('ownerOf', [agentId])).to.equal(owner)
    expect(await read('getAgentWallet', [agentId])).to.equal(zeroAddress)
    expect(await read('getMetadata', [agentId, 'agentWallet'])).to.equal('0x')
    expect(await read('getMetadata', [agentId, 'svcId'])).to.equal(stringToHex(svcId))
    expect(await read('tokenURI', [agentId])).to.equal(
      `http://localhost:${new URL(service.baseUrl).port}/registration-files/${svcId}.json`,
    )
    const transfers = await client().getContractEvents({
      address: registry,
      abi: ABI,
      eventName: 'Transfer',
      args: { tokenId: agentId },
      fromBlock: 0n,
    })
    const relayer = privateKeyToAccount(LOCAL_CHAIN_KEY).address
    expect(transfers.map(({ args }) => [args.from, args.to])).to.deep.equal([
      [zeroAddress, relayer],
      [relayer, owner],
    ])
  }
})

/** Deploys from an account other than the relayer. */
async function deployPlainRegistry(node: LocalChain): Promise<`0x${string}`> {
  const artifact = await compileContract('PlainIdentityRegistry', 'test/solidity/mocks')
  const deployer = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: 5,
  })
  const transport = http(node.url)
  const hash = await createWalletClient({ account: deployer, chain: hardhat, transport }).deployContract(
    artifact,
  )
  const { contractAddress } = await createPublicClient({ transport }).getTransactionReceipt({ hash })
  return getAddress(contractAddress ?? zeroAddress)
}
