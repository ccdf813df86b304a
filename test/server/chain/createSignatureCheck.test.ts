import { expect } from 'chai'
import { createChainClient, relayerAccountOf } from '../../../server/chain/chainClient.ts'
import type { ApiError } from '../../../server/errors.ts'
import { createRpc } from '../../harness/chain/createRpc.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import { listen } from '../../harness/peers/listen.ts'

const WALLET = '0x00000000000000000000000000000000000000aa'
const claim = { address: WALLET, hash: `0x${'22'.repeat(32)}`, signature: '0x00' } as const
/** Returns the magic value of ERC-1271. */
const ACCEPT = '631626ba7e60e01b60005260206000f3'

type Call = { id: number; method: string; params: [{ gas?: string }] }

const chainAt = (url: string, timeoutMs = 30_000) =>
  createChainClient({
    ...{ url: () => url, account: relayerAccountOf(undefined), random: () => 0, timeoutMs, attempts: 3 },
  })

describe('createSignatureCheck', () => {
  describe('with a node', () => {
    let node: Awaited<ReturnType<typeof listen>>
    let asked: (Call | Call[])[]
    /** Null to never respond. */
    let reply: (call: Call) => Promise<object> | object | null
    const ok = (call: Call) => ({ result: call.method === 'eth_call' ? '0x' : '0x7a69' })

    before(async () => {
      node = await listen(async (req, res) => {
        const chunks: Buffer[] = []
        for await (const chunk of req) chunks.push(chunk)
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
        asked.push(body)
        const answers = await Promise.all(
          [body].flat().map(async (call) => ({ call, said: await reply(call) })),
        )
        if (answers.some(({ said }) => said === null)) return
        const written = answers.map(({ call, said }) => ({ jsonrpc: '2.0', id: call.id, ...said }))
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end(JSON.stringify(Array.isArray(body) ? written : written[0]))
      })
    })
    beforeEach(() => {
      asked = []
      reply = ok
    })
    after(() => node?.stop())

    it('sends each call by itself, so that nobody else’s reads wait for it', async () => {
      const chain = chainAt(node.url)
      const checks = [chain.acceptsSignature(claim), chain.acceptsSignature(claim)]
      await Promise.all([chain.readChainId(), ...checks, chain.readBalance(WALLET)])
      const methods = asked.map((body) => [body].flat().map(({ method }) => method))
      expect(methods).to.have.deep.members([['eth_call'], ['eth_call'], ['eth_chainId', 'eth_getBalance']])
    })

    it('sends the call once to a node that does not respond, which says nothing about the signature', async () => {
      reply = () => null
      const failed = await chainAt(node.url, 300)
        .acceptsSignature(claim)
        .then(String, ({ code }: ApiError) => code)
      expect([failed, asked.length]).to.deep.equal(['CHAIN_UNAVAILABLE', 1])
    })

    it('reads no more than 64 KiB of an answer, and rejects the signature', async () => {
      reply = () => ({ result: `0x1626ba7e${'0'.repeat(65_536)}` })
      expect(await chainAt(node.url).acceptsSignature(claim)).to.equal(false)
    })

    it('makes four calls at once', async () => {
      const checks: Promise<boolean>[] = []
      const chain = chainAt(node.url)
      let respond = (_result: object) => {}
      const response = new Promise<object>((resolve) => {
        respond = resolve
      })
      await new Promise<void>((resolve) => {
        reply = (call) => {
          if (call.method !== 'eth_call') return ok(call)
          if (asked.length === 4) resolve()
          return response
        }
        for (let index = 0; index < 6; index += 1) {
          checks.push(chain.acceptsSignature({ ...claim, address: `0x${String(index).repeat(40)}` }))
        }
      })
      // A fifth call would have arrived before the next request.
      await chain.readChainId()
      expect(asked).to.have.length(4 + 1)
      respond({ result: '0x' })
      expect(await Promise.all(checks)).to.deep.equal(Array(6).fill(false))
    })
  })

  describe('with a real chain', function () {
    this.timeout(60_000)
    let chain: Awaited<ReturnType<typeof takeChain>>
    before(async () => {
      chain = await takeChain()
    })
    after(() => chain?.stop())

    const accepts = async (code: string) => {
      await createRpc(chain.url)('hardhat_setCode', [WALLET, `0x${code}`])
      return chainAt(chain.url).acceptsSignature(claim)
    }

    it('gives a contract no more than a million gas', async () => {
      // Accepts if more than 1,000,000 gas is left: PUSH3, GAS, GT, PUSH1 12, JUMPI, PUSH0, PUSH0, REVERT, JUMPDEST.
      expect(await accepts(`620f42405a11600c575f5ffd5b${ACCEPT}`)).to.equal(false)
    })

    it('rejects the signature of a contract that would run forever', async () => {
      expect(await accepts('5b600056')).to.equal(false)
    })

    it('accepts that of a contract that needs 600,000 gas', async () => {
      // Loops while more than 300,000 gas is left: JUMPDEST, PUSH3, GAS, GT, PUSH1 0, JUMPI.
      expect(await accepts(`5b620493e05a11600057${ACCEPT}`)).to.equal(true)
    })

    it('rejects the signature of a contract that returns, or reverts with, 640 KiB', async () => {
      expect(await accepts('620a00005ff3')).to.equal(false)
      expect(await accepts('620a00005ffd')).to.equal(false)
    })
  })
})
