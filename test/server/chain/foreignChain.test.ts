import { expect } from 'chai'
import { encodeAbiParameters, type Hex, keccak256, pad, parseAbiParameters, toHex } from 'viem'
import { createForeignChain } from '../../../server/chain/foreignChain.ts'
import type { ApiError } from '../../../server/errors.ts'
import { listen } from '../../harness/peers/listen.ts'

const REGISTRY = '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
const OWNER = '0x00000000000000000000000000000000000000aa'
const OWNER_OF = '0x6352211e'
/** `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const METADATA_SET = keccak256(toHex('MetadataSet(uint256,string,string,bytes)'))

type Answer = { result: unknown } | { error: { code: number; message: string; data?: Hex } }
type Asked = { id: number; method: string; params: [{ data: Hex; topics: unknown }] }

describe('createForeignChain', () => {
  let node: Awaited<ReturnType<typeof listen>>
  let ownerOf: Answer
  let logs: unknown[]
  let topics: unknown

  const answers: Record<string, (asked: Asked) => Answer> = {
    eth_chainId: () => ({ result: toHex(8453) }),
    eth_blockNumber: () => ({ result: toHex(7) }),
    eth_getLogs: ({ params: [filter] }) => {
      topics = filter.topics
      return { result: logs }
    },
    eth_call: ({ params: [{ data }] }) =>
      data.startsWith(OWNER_OF) ? ownerOf : { error: { code: 3, message: 'execution reverted' } },
  }
  before(async () => {
    node = await listen(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[]
      const answered = [asked].flat().map((one) => ({
        jsonrpc: '2.0',
        id: one.id,
        ...(answers[one.method]?.(one) ?? { error: { code: -32601, message: 'no such method' } }),
      }))
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(Array.isArray(asked) ? answered : answered[0]))
    })
  })
  after(() => node?.stop())

  const chain = () =>
    createForeignChain({
      ...{ rpcUrl: node.url, chainId: 8453, registry: REGISTRY, reputation: null, reviewers: [] },
      random: () => 0,
    })

  it('reads a token whose registry knows neither URI nor wallet', async () => {
    ownerOf = { result: pad(OWNER) }
    expect(await chain().readToken(22)).to.deep.equal({ owner: OWNER, wallet: null, uri: '', block: 7 })
  })

  it('reads that there is no token only from a refusal with a reason, or from no owner', async () => {
    const nonexistent = `0x7e273289${'16'.padStart(64, '0')}` as const
    for (const answer of [
      { error: { code: 3, message: 'execution reverted', data: nonexistent } },
      { result: pad('0x') },
    ]) {
      ownerOf = answer
      expect(await chain().readToken(22)).to.equal(null)
    }
  })

  it('takes every other failure to read the owner for one of the node', async () => {
    for (const answer of [
      { result: '0x' },
      { error: { code: 3, message: 'execution reverted', data: '0x' as const } },
      { error: { code: -32000, message: 'out of gas' } },
    ]) {
      ownerOf = answer
      const error = await chain()
        .readToken(22)
        .catch((thrown: ApiError) => thrown)
      expect((error as ApiError).code, JSON.stringify(answer)).to.equal('CHAIN_UNAVAILABLE')
    }
  })

  const logOf = (block: number, topics: Hex[], data: Hex = '0x') => ({
    ...{ address: REGISTRY, blockNumber: toHex(block), blockHash: pad('0x1'), transactionHash: pad('0x2') },
    ...{ transactionIndex: '0x0', logIndex: '0x0', removed: false, data, topics },
  })

  it('reads the latest transfer of each token whose number can name an agent', async () => {
    const transfer = (block: number, to: Hex, tokenId: bigint) =>
      logOf(block, [TRANSFER, pad(OWNER), pad(to), toHex(tokenId, { size: 32 })])
    logs = [
      transfer(3, OWNER, 22n),
      transfer(4, OWNER, 2n ** 53n),
      transfer(4, '0x', 22n),
      transfer(5, OWNER, 1n),
    ]
    expect([...(await chain().readTransfers({ first: 1, last: 7 }))]).to.deep.equal([
      [22, { block: 4, newOwner: null }],
      [1, { block: 5, newOwner: OWNER }],
    ])
  })

  it('reads the wallet that each token has after each block, in either encoding of an address', async () => {
    const key = keccak256(toHex('agentWallet'))
    const set = (block: number, value: Hex, tokenId = 22n) =>
      logOf(
        block,
        [METADATA_SET, toHex(tokenId, { size: 32 }), key],
        encodeAbiParameters(parseAbiParameters('string, bytes'), ['agentWallet', value]),
      )
    const wallet = '0x00000000000000000000000000000000000000Bb'
    logs = [set(3, wallet), set(3, '0x'), set(4, pad(wallet)), set(5, '0x1234'), set(5, wallet, 2n ** 53n)]
    logs.push(set(6, pad('0x', { size: 20 })))
    expect(await chain().readWallets({ first: 1, last: 7 })).to.deep.equal([
      { agentId: 22, block: 3, wallet: null },
      { agentId: 22, block: 4, wallet: wallet.toLowerCase() },
      { agentId: 22, block: 6, wallet: null },
    ])
    expect(topics).to.deep.equal([METADATA_SET, null, key])
  })
})
