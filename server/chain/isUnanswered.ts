import {
  BaseError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  isHex,
  RpcRequestError,
} from 'viem'

/** Code of a revert, by which nodes that keep to the specification of the JSON-RPC methods tell it. */
const REVERT_CODE = 3
/** How nodes say that the code of a contract ended without an answer: geth and its kin, Erigon, Nethermind, Besu, Hardhat. */
const CODE_FAILED =
  /revert|out of gas|outofgas|gas required exceeds|(bad|invalid) (opcode|instruction|jump)|stack (under|over)flow|stack limit|stack too (deep|small)|write protection|return ?data out of bounds|vm (execution|exception)/i

/**
 * Whether a contract gave no answer to a read: it reverted, ran out of gas, or has no such function. The node did its
 * part, so asking again is of no use.
 *
 * A revert without data, which is what a proxy makes of a function it does not know, has the code -32000 at geth and its
 * kin, and only its words tell it from the node's own failures. Of -32603, an internal error of the node, viem makes a
 * revert whatever it says, so that its own class of a revert is not gone by.
 */
export function isContractFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionZeroDataError ||
      inner instanceof ExecutionRevertedError ||
      (inner instanceof RpcRequestError && isOfTheCode(inner)),
  )
  return cause !== null
}

function isOfTheCode({ code, data, details }: RpcRequestError): boolean {
  return code === REVERT_CODE || isHex(data) || CODE_FAILED.test(details)
}
