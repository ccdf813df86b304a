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

/** A contract that a token arrives at: answers as told, and may call the registry first, in the middle of the arrival. */
export async function deployTokenReceiver(chain: Chain) {
  const { bytecode } = await compileContract('TokenReceiver', 'test/contracts/solidity/mocks')
  const receiver = await chain.deploy({ abi, bytecode })
  const dataFor = (functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: identityRegistry.abi as Abi, functionName, args })

  return {
    abi,
    address: receiver.address,
    /** What it says to the next token, and what it calls at the registry before. */
    prepare: (answer: ReceiverAnswer, callBack?: [functionName: string, args: unknown[]]) =>
      receiver.write.prepare([answers.indexOf(answer), callBack ? dataFor(...callBack) : '0x']),
    /** Calls the registry by itself. */
    call: (registry: `0x${string}`, functionName: string, args: unknown[]) =>
      receiver.write.execute([registry, dataFor(functionName, args)]),
  }
}
