import { type Abi, type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { compileContract } from './compileContract.ts'
import type { Chain } from './openChain.ts'

const abi = parseAbi([
  'constructor(address signer)',
  'function setResponse(uint8 response_)',
  'function execute(address target, bytes data) returns (bytes)',
  'function walletSeen() view returns (address)',
  'function uriSeen() view returns (string)',
  'function metadataSeen() view returns (bytes)',
  'error Unwelcome(uint256 tokenId)',
  'error Error(string reason)',
  'error ERC721InvalidReceiver(address receiver)',
])
const responses = ['Accept', 'Refuse', 'Revert'] as const

/**
 * Deploys a contract that owns agents: it signs with the key of `signer` (ERC-1271), makes calls, and responds to a
 * received token as configured.
 */
export async function deployContractWallet(chain: Chain, signer: Address = zeroAddress) {
  const { bytecode } = await compileContract('ContractWallet', 'test/solidity/mocks')
  const wallet = await chain.deploy({ abi, bytecode }, [signer])
  const dataFor = (target: { abi: Abi }, functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: target.abi, functionName, args })
  type Target = { abi: Abi; address: Address }

  return {
    address: wallet.address,
    respondWith: (response: (typeof responses)[number]) =>
      wallet.write.setResponse([responses.indexOf(response)]),
    call: (target: Target, functionName: string, args: unknown[]) =>
      wallet.write.execute([target.address, dataFor(target, functionName, args)]),
    /** Simulates the call. */
    tryCall: (target: Target, functionName: string, args: unknown[]) =>
      wallet.simulate.execute([target.address, dataFor(target, functionName, args)]),
    /** What the wallet read from the registry while it received its latest token. */
    seen: async () => ({
      wallet: await wallet.read.walletSeen(),
      uri: await wallet.read.uriSeen(),
      metadata: await wallet.read.metadataSeen(),
    }),
  }
}
