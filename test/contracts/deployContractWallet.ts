import hre from 'hardhat'
import { type Abi, type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import type { Chain } from './openChain.ts'

const abi = parseAbi([
  'constructor(address signer)',
  'function setAnswer(uint8 answer_)',
  'function execute(address target, bytes data) returns (bytes)',
  'function walletSeen() view returns (address)',
  'function uriSeen() view returns (string)',
  'function metadataSeen() view returns (bytes)',
  'error Unwelcome(uint256 tokenId)',
  'error Error(string reason)',
  'error ERC721InvalidReceiver(address receiver)',
])
const answers = ['Accept', 'Refuse', 'Revert'] as const

/**
 * A contract that owns agents: signs with the key of `signer` (ERC-1271), calls contracts, and answers an arriving
 * token as it is told to.
 *
 * The one part of these tests that is not among the committed artifacts: it is compiled when it has to be.
 */
export async function deployContractWallet(chain: Chain, signer: Address = zeroAddress) {
  const wallet = await chain.deploy({ abi, bytecode: await compile() }, [signer])
  const dataFor = (target: { abi: Abi }, functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: target.abi, functionName, args })
  type Target = { abi: Abi; address: Address }

  return {
    address: wallet.address,
    answer: (answer: (typeof answers)[number]) => wallet.write.setAnswer([answers.indexOf(answer)]),
    call: (target: Target, functionName: string, args: unknown[]) =>
      wallet.write.execute([target.address, dataFor(target, functionName, args)]),
    /** The call without its effect. */
    tryCall: (target: Target, functionName: string, args: unknown[]) =>
      wallet.simulate.execute([target.address, dataFor(target, functionName, args)]),
    /** What the registry said while the last token was arriving. */
    seen: async () => ({
      wallet: await wallet.read.walletSeen(),
      uri: await wallet.read.uriSeen(),
      metadata: await wallet.read.metadataSeen(),
    }),
  }
}

async function compile(): Promise<Hex> {
  const files = ['test/contracts/solidity/mocks/ContractWallet.sol']
  await hre.tasks.getTask('build').run({ files, quiet: true })
  const { bytecode } = await hre.artifacts.readArtifact('ContractWallet')
  return `0x${bytecode.slice(2)}`
}
