import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { compileContract } from './compileContract.ts'
import type { Chain } from './openChain.ts'

const abi = parseAbi([
  'function prepare(uint8 answer_, bytes callBack)',
  'function execute(address target, bytes data) returns (bytes)',
  'event Received(address operator, address from, uint256 tokenId, bytes data)',
])
const answers = ['Accept', 'OtherValue', 'CustomError', 'Reason', 'NoReason', 'Panic'] as const

export type ReceiverAnswer = (typeof answers)[number]

/** Deploys a contract that receives tokens: it responds as configured, and may first call back into the registry. */
export async function deployTokenReceiver(chain: Chain) {
  const { bytecode } = await compileContract('TokenReceiver', 'test/contracts/solidity/mocks')
  const receiver = await chain.deploy({ abi, bytecode })
  const dataFor = (functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: identityRegistry.abi as Abi, functionName, args })

  return {
    abi,
    address: receiver.address,
    /** Sets the response to the next token, and the call to make to the registry first. */
    prepare: (answer: ReceiverAnswer, callBack?: [functionName: string, args: unknown[]]) =>
      receiver.write.prepare([answers.indexOf(answer), callBack ? dataFor(...callBack) : '0x']),
    /** Calls the registry directly. */
    call: (registry: `0x${string}`, functionName: string, args: unknown[]) =>
      receiver.write.execute([registry, dataFor(functionName, args)]),
  }
}
