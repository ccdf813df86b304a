import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { compileContract } from './compileContract.ts'
import type { Chain } from './openChain.ts'

const abi = parseAbi([
  'function prepare(uint8 response_, bytes callback)',
  'function execute(address target, bytes data) returns (bytes)',
  'event Received(address operator, address from, uint256 tokenId, bytes data)',
])
const responses = ['Accept', 'OtherValue', 'CustomError', 'Reason', 'NoReason', 'Panic'] as const

export type ReceiverResponse = (typeof responses)[number]

/** Deploys a contract that receives tokens: it responds as configured, and may first call back into the registry. */
export async function deployTokenReceiver(chain: Chain) {
  const { bytecode } = await compileContract('TokenReceiver', 'test/solidity/mocks')
  const receiver = await chain.deploy({ abi, bytecode })
  const dataFor = (functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: identityRegistry.abi as Abi, functionName, args })

  return {
    abi,
    address: receiver.address,
    /** Sets the response to the next token, and the call to make to the registry first. */
    prepare: (response: ReceiverResponse, callback?: [functionName: string, args: unknown[]]) =>
      receiver.write.prepare([responses.indexOf(response), callback ? dataFor(...callback) : '0x']),
    /** Calls the registry directly. */
    call: (registry: `0x${string}`, functionName: string, args: unknown[]) =>
      receiver.write.execute([registry, dataFor(functionName, args)]),
  }
}
