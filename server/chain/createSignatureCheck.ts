import { BaseError, encodeFunctionData, type PublicClient, ResponseBodyTooLargeError } from 'viem'
import { createCallNode } from './callNode.ts'
import type { Hex } from './chainTypes.ts'
import { createContractSlots } from './createContractSlots.ts'
import { createLazyClient } from './createLazyClient.ts'
import { isContractFailure } from './nodeFailure.ts'

type SignatureClaim = { address: Hex; hash: Hex; signature: Hex }

const ABI = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: '', type: 'bytes32' }],
  },
] as const
/**
 * The whole word including the zeros, as contracts compare it. The first four bytes are also the selector of the call,
 * and some addresses, such as the precompile 0x04, return their input.
 */
const MAGIC = `0x1626ba7e${'0'.repeat(56)}`
/** Two verifications of a passkey in Solidity, about 330,000 each, or a hundred of a key. Source: docs/decisions/0146. */
const GAS_MAX = 1_000_000n
/** The answer is one word; a million gas buys a contract 700,000 bytes. */
const RESPONSE_BYTES_MAX = 64 * 1024
/** Few, because the local chain executes one call after the other, and some nodes limit the calls per second. */
const RUNNING = { total: 4, perContract: 2 }
const WAITING = { total: 64, perContract: 16 }

/**
 * Creates the check whether a contract wallet accepts a signature over a hash (ERC-1271). False if there is no contract, or
 * the contract fails, needs more than a million gas, or returns too much.
 *
 * Strangers name the contract, so no call of it costs others much: each has a limit of gas, is made once, shares no batch
 * with other calls of the service, and has one of a few slots.
 *
 * The check throws `CHAIN_UNAVAILABLE` if the node fails, which says nothing about the signature, or too many calls wait. A
 * node that does not respond in time has failed: no contract can spend that much time on its gas.
 */
export function createSignatureCheck({ url, timeoutMs }: { url(): string; timeoutMs: number }) {
  const client = createLazyClient({
    url,
    createFetch: () => (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    responseBytesMax: RESPONSE_BYTES_MAX,
  })
  const call = createCallNode({ attempts: 1, pauseMs: 0, random: () => 0 })
  const inSlot = createContractSlots({ running: RUNNING, waiting: WAITING, waitMs: timeoutMs })
  return (claim: SignatureClaim): Promise<boolean> =>
    inSlot(claim.address, () => call(() => acceptsSignature(client(), claim)))
}

async function acceptsSignature(
  node: PublicClient,
  { address, hash, signature }: SignatureClaim,
): Promise<boolean> {
  try {
    // Not `readContract`: the contract may return anything, not only what the ABI allows.
    const data = encodeFunctionData({ abi: ABI, args: [hash, signature] })
    const result = (await node.call({ to: address, data, gas: GAS_MAX })).data ?? '0x'
    return result.slice(0, MAGIC.length).toLowerCase() === MAGIC
  } catch (error) {
    if (isContractFailure(error) || isTooLong(error)) return false
    throw error
  }
}

function isTooLong(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((inner) => inner instanceof ResponseBodyTooLargeError) !== null
  )
}
