import {
  type Abi,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { reputationRegistry } from '../../../server/chain/artifacts/reputationRegistry.ts'
import { compileContract } from '../../contracts/compileContract.ts'
import { listen } from '../peers/listen.ts'
import { createRpc } from './createRpc.ts'
import { deployReferenceRegistries } from './deployReferenceRegistries.ts'
import { takeChain } from './takeChain.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'

/** Less than five minutes, which the registry allows. */
const CONSENT_SECONDS = 240n
/** Source: EIP-8004 "Identity Registry". */
const WALLET_FIELDS = [
  { name: 'agentId', type: 'uint256' },
  { name: 'newWallet', type: 'address' },
  { name: 'owner', type: 'address' },
  { name: 'deadline', type: 'uint256' },
] as const

export type ForeignAccount = HDAccount

/** An account of the other chain, with funds. */
export const foreignAccount = (addressIndex: number): ForeignAccount =>
  mnemonicToAccount(MNEMONIC, { addressIndex })

/** The account whose ratings count. */
export const reviewer = foreignAccount(9)

export type ForeignScene = Awaited<ReturnType<typeof openForeignRegistry>>

/** A compiled checkout of the ERC-8004 reference contracts, with which the tests then run. */
const CHECKOUT = process.env.ERC8004_CONTRACTS

/**
 * A second chain with an ERC-8004 identity registry by another author, a reputation registry, and a server for registration
 * files. `setting` is the entry of FOREIGN_REGISTRIES. With `ERC8004_CONTRACTS`, the registries are those of the standard's
 * authors.
 */
export async function openForeignRegistry() {
  const node = await takeChain()
  const rpc = createRpc(node.url)
  const transport = http(node.url)
  const client = createPublicClient({ transport, cacheTime: 0 })
  const walletOf = (account: ForeignAccount) => createWalletClient({ account, chain: hardhat, transport })
  const deployer = foreignAccount(5)

  async function deploy(artifact: { abi: Abi; bytecode: Hex }, args: unknown[] = []): Promise<Hex> {
    const hash = await walletOf(deployer).deployContract({ ...artifact, args })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    return getAddress(contractAddress ?? zeroAddress)
  }
  async function deployOwn() {
    const plain = await compileContract('PlainIdentityRegistry', 'test/solidity/mocks')
    const registry = await deploy(plain)
    const reputation = await deploy(reputationRegistry as { abi: Abi; bytecode: Hex }, [registry])
    return { registry, reputation, abi: plain.abi }
  }
  const writeAsDeployer = (...call: [Hex, Abi, string, unknown[]]) => write(deployer, ...call)
  const { registry, reputation, abi } =
    CHECKOUT === undefined
      ? await deployOwn()
      : await deployReferenceRegistries(CHECKOUT, { deploy, write: writeAsDeployer })
  const agentRegistry = `eip155:31337:${registry.toLowerCase()}`

  const files = new Map<string, { status: number; body: string }>()
  const server = await listen((req, res) => {
    const { status, body } = files.get(req.url ?? '') ?? { status: 404, body: '' }
    res.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })

  async function write(
    account: ForeignAccount,
    address: Hex,
    abi: Abi,
    functionName: string,
    args: unknown[],
  ) {
    const hash = await walletOf(account).writeContract({ address, abi, functionName, args })
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${functionName} was refused`)
  }

  /** Consents to be the wallet of an agent, as the standard's registry asks for it. */
  async function signConsent(wallet: ForeignAccount, owner: ForeignAccount, agentId: number) {
    const { timestamp } = await client.getBlock()
    const deadline = timestamp + CONSENT_SECONDS
    const signature = await wallet.signTypedData({
      domain: {
        ...{ name: 'ERC8004IdentityRegistry', version: '1' },
        ...{ chainId: hardhat.id, verifyingContract: registry },
      },
      types: { AgentWalletSet: WALLET_FIELDS },
      primaryType: 'AgentWalletSet',
      message: { agentId: BigInt(agentId), newWallet: wallet.address, owner: owner.address, deadline },
    })
    return { deadline, signature }
  }

  let registered = 0
  return {
    url: node.url,
    registry,
    agentRegistry,
    setting: `${agentRegistry} ${node.url} reputation=${reputation} reviewers=${reviewer.address}`,

    /** Registers an agent with a bound file; `changes` replace members of the file, `uri` its URI. */
    async register(owner: ForeignAccount, changes: object = {}, uri?: string) {
      const agentId = registered
      registered += 1
      const path = `/${agentId}.json`
      const file = {
        type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
        name: `Courier ${agentId}`,
        description: 'Delivers parcels',
        services: [{ name: 'web', endpoint: 'https://courier.example' }],
        registrations: [{ agentId, agentRegistry: `eip155:31337:${registry}` }],
        ...changes,
      }
      files.set(path, { status: 200, body: JSON.stringify(file) })
      await write(owner, registry, abi, 'register', [uri ?? server.url + path])
      return { agentId, token: `${agentRegistry}/${agentId}`, path, file }
    },
    setFile: (path: string, body: string, status = 200) => files.set(path, { status, body }),
    transfer: (from: ForeignAccount, to: Hex, agentId: number) =>
      write(from, registry, abi, 'transferFrom', [from.address, to, BigInt(agentId)]),
    /** Sets the `agentWallet` of a token; null removes it. */
    async setWallet(owner: ForeignAccount, agentId: number, wallet: ForeignAccount | null) {
      if (wallet === null) return write(owner, registry, abi, 'unsetAgentWallet', [BigInt(agentId)])
      const { deadline, signature } = await signConsent(wallet, owner, agentId)
      const args = [BigInt(agentId), wallet.address, deadline, signature]
      return write(owner, registry, abi, 'setAgentWallet', args)
    },
    /** Gives a rating from 0 to 100. */
    rate: (by: ForeignAccount, agentId: number, value: number) =>
      write(by, reputation, reputationRegistry.abi as Abi, 'giveFeedback', [
        ...[BigInt(agentId), BigInt(value), 0, 'starred', '', '', '', zeroHash],
      ]),
    mine: (blocks = 1) => rpc('hardhat_mine', [toHex(blocks)]),
    /** Replaces the blocks that are mined until the returned function is called, with others that are as many. */
    async reorganise() {
      const [snapshot, first] = [await rpc('evm_snapshot'), await client.getBlockNumber()]
      return async () => {
        const replaced = Number((await client.getBlockNumber()) - first)
        await rpc('evm_revert', [snapshot])
        await rpc('hardhat_mine', [toHex(replaced)])
      }
    },
    async stop() {
      await server.stop()
      await node.stop()
    },
  }
}
