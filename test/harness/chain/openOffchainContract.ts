import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { listen } from '../peers/listen.ts'
import { createRpc } from './createRpc.ts'

const abi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])

/** Copies what follows it to memory, and reverts with it: PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, REVERT. */
const codeThatReverts = (data: Hex): Hex =>
  `0x61${((data.length - 2) / 2).toString(16).padStart(4, '0')}80600a5f395ffd${data.slice(2)}`

/**
 * Puts a contract on a development chain that answers every call by sending the caller to a URL (EIP-3668), and listens at
 * that URL.
 */
export async function openOffchainContract(rpcUrl: string, address: Hex) {
  let requests = 0
  const server = await listen((_req, res) => {
    requests += 1
    // With an answer, a caller would ask the contract again, without end.
    res.writeHead(404).end()
  })
  const args = [
    address,
    [`${server.url}/{sender}/{data}`, server.url],
    '0xdeadbeef',
    '0x12345678',
    '0x',
  ] as const
  const code = codeThatReverts(encodeErrorResult({ abi, errorName: 'OffchainLookup', args }))
  await createRpc(rpcUrl)('hardhat_setCode', [address, code])
  return {
    /** How many requests the URL has got. */
    requests: () => requests,
    stop: server.stop,
  }
}
