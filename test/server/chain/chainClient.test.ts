import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { pad, toEventSelector } from 'viem'
import { createChainClient, relayerAccountOf } from '../../../server/chain/chainClient.ts'
import { createForeignChain } from '../../../server/chain/foreignChain.ts'
import { ApiError } from '../../../server/errors.ts'
import { openOffchainContract } from '../../harness/chain/openOffchainContract.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { openStage, type Stage } from '../services/relayer/openStage.ts'

/** Runtime code of a wallet that accepts every signature: returns the magic value of ERC-1271. */
const YES_WALLET = '0x631626ba7e60e01b60005260206000f3'
/** Runtime code of a contract that returns its calldata. */
const ECHO = '0x3660006000373660006000f3'
const HASH = `0x${'11'.repeat(32)}`
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const WALLET = '0x00000000000000000000000000000000000000aa'

function clientOf(url: string, timeoutMs = 100) {
  return createChainClient({
    url: () => url,
    account: relayerAccountOf(undefined),
    random: () => 0,
    timeoutMs,
    attempts: 3,
  })
}

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${error}`)
}

describe('chain client', () => {
  describe('with a faulty node', () => {
    let server: Server
    let requests = 0
    const listen = async (
      answer: (number: number, body: string) => { status: number; body: string } | null,
    ) => {
      requests = 0
      server = createServer(async (req, res) => {
        requests += 1
        const given = answer(requests, await text(req))
        if (given) res.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body)
      })
      server.listen(await findFreePort(), '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/SECRET-KEY`
    }
    afterEach(() => {
      server.closeAllConnections()
      server.close()
    })

    it('gives up on a node that hangs once its attempts are used up', async () => {
      const error = await failureOf(clientOf(await listen(() => null)).readChainId())
      expect(error.code).to.equal('CHAIN_UNAVAILABLE')
      expect(requests).to.equal(3)
    })

    it('retries while the node is briefly busy', async () => {
      const url = await listen((number) =>
        number < 3
          ? { status: 503, body: 'busy' }
          : { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}' },
      )
      expect(await clientOf(url).readChainId()).to.equal(31337)
    })

    it('asks again if the node has no events only because it lags, and asks for the newest block first', async () => {
      const bodies: string[] = []
      const event = (number: string) => ({
        ...{ address: WALLET, blockNumber: number, blockHash: HASH, transactionHash: HASH, logIndex: '0x0' },
        ...{ transactionIndex: '0x0', removed: false, data: '0x' },
        topics: [TRANSFER, ...[WALLET, ECHO.slice(0, 4), '0x7'].map((value) => pad(value as `0x${string}`))],
      })
      const answers = [
        [['0x62'], []],
        [['0x63'], [event('0x63')]],
      ]
      const url = await listen((number, body) => {
        bodies.push(body)
        const [head, logs] = answers[number - 1] ?? []
        const ids = (JSON.parse(body) as { id: number }[]).map(({ id }) => id)
        const results = [head?.[0], logs].map((result, i) => ({ jsonrpc: '2.0', id: ids[i], result }))
        return { status: 200, body: JSON.stringify(results) }
      })
      const blocks = { first: 1, last: 99 }
      const changes = await clientOf(url).identity.readChanges(WALLET, WALLET, blocks)
      expect([...changes.tokens]).to.deep.equal([[7n, 99]])
      const methods = bodies.map((body) =>
        (JSON.parse(body) as { method: string }[]).map(({ method }) => method),
      )
      expect(methods).to.deep.equal([1, 2].map(() => ['eth_blockNumber', 'eth_getLogs']))
    })

    it('treats a revert without data as a contract failure, under every error code that nodes use', async () => {
      for (const code of [3, -32000]) {
        const error = { code, message: 'execution reverted' }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error })
        const { identity } = clientOf(await listen(() => ({ status: 200, body })))
        expect(await identity.readNonce(WALLET, WALLET)).to.equal(null)
        server.close()
      }
    })

    const SIGNED = { address: WALLET, hash: `0x${'22'.repeat(32)}`, signature: '0x00' } as const
    const saying = (said: object) => ({
      status: 200,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...said }),
    })

    it('does not mistake a node failure for a wallet’s rejection of a signature', async () => {
      for (const [code, message] of [
        [-32603, 'Internal error'],
        [-32000, 'header not found'],
        [-32000, 'missing trie node'],
        [-32601, 'the method eth_call does not exist'],
        [-32016, 'over rate limit'],
      ] as const) {
        const url = await listen(() => saying({ error: { code, message } }))
        const error = await failureOf(clientOf(url).acceptsSignature(SIGNED))
        expect(error.code, message).to.equal('CHAIN_UNAVAILABLE')
        server.close()
      }
    })

    it('treats a failed execution of the wallet as a rejection of the signature', async () => {
      for (const said of [
        { error: { code: 3, message: 'execution reverted', data: '0x' } },
        { error: { code: -32000, message: 'out of gas' } },
        { error: { code: -32000, message: 'invalid opcode: opcode 0xfe not defined' } },
        { error: { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' } },
        { error: { code: -32603, message: 'reverted', data: '0x08c379a0' } },
        { result: '0x' },
        { result: '0x1626ba7e' },
      ]) {
        const url = await listen(() => saying(said))
        // The node responds, but on a busy machine later than in a tenth of a second.
        const answer = await clientOf(url, 5_000)
          .acceptsSignature(SIGNED)
          .catch(({ detail }) => detail)
        expect(answer, JSON.stringify(said)).to.equal(false)
        server.close()
      }
    })

    it('does not mistake an internal error of the node for a missing token', async () => {
      const url = await listen(() => saying({ error: { code: -32603, message: 'Internal error' } }))
      const error = await failureOf(clientOf(url).identity.readOwner(WALLET, 1n))
      expect(error.code).to.equal('CHAIN_UNAVAILABLE')
    })

    it('keeps the node’s URL, which may contain a key, out of its error', async () => {
      const error = await failureOf(clientOf(await listen(() => ({ status: 401, body: '{}' }))).readChainId())
      const text = JSON.stringify([error.message, error.detail, error.cause, error.stack])
      expect(text).not.to.contain('SECRET-KEY')
      expect(requests).to.equal(1)
    })
  })

  describe('with a real chain', () => {
    let stage: Stage
    before(async () => {
      stage = await openStage()
    })
    after(() => stage.close())

    it('asks contract wallets whether they accept a signature', async () => {
      const claim = { address: WALLET, hash: `0x${'22'.repeat(32)}`, signature: '0x00' } as const
      expect(await stage.chain.acceptsSignature(claim)).to.equal(false)
      await stage.rpc('hardhat_setCode', [WALLET, YES_WALLET])
      expect(await stage.chain.acceptsSignature(claim)).to.equal(true)
      await stage.rpc('hardhat_setCode', [WALLET, '0x60006000fd'])
      expect(await stage.chain.acceptsSignature(claim)).to.equal(false)
      await stage.rpc('hardhat_setCode', [WALLET, '0xfe'])
      expect(await stage.chain.acceptsSignature(claim)).to.equal(false)
    })

    it('rejects a signature for an address that returns its input', async () => {
      const claim = { hash: `0x${'22'.repeat(32)}`, signature: '0x00' } as const
      const copier = '0x0000000000000000000000000000000000000004'
      expect(await stage.chain.acceptsSignature({ ...claim, address: copier })).to.equal(false)
      await stage.rpc('hardhat_setCode', [WALLET, ECHO])
      expect(await stage.chain.acceptsSignature({ ...claim, address: WALLET })).to.equal(false)
    })

    it('fetches no URL that a contract names (EIP-3668)', async () => {
      const contract = await openOffchainContract(stage.node.url, WALLET)
      const foreign = createForeignChain({
        ...{ rpcUrl: stage.node.url, chainId: 31337, registry: WALLET, reputation: WALLET, reviewers: [] },
        random: () => 0,
      })
      try {
        const claim = { address: WALLET, hash: `0x${'22'.repeat(32)}`, signature: '0x00' } as const
        expect(await stage.chain.acceptsSignature(claim)).to.equal(false)
        expect(await stage.chain.identity.readOwner(WALLET, 1n)).to.equal(null)
        expect(await foreign.acceptsSignature(claim)).to.equal(false)
        expect(await foreign.readToken(1)).to.equal(null)
        expect(await foreign.readFeedback(1)).to.equal(null)
        expect(contract.requests()).to.equal(0)
      } finally {
        await contract.stop()
      }
    })

    it('decodes the contract’s reason for a refusal', async () => {
      const { auditLog } = await stage.deploy()
      const anchor = {
        batch: 1,
        prevSize: 0,
        newSize: 1,
        root: `0x${'11'.repeat(32)}`,
        consistencyProof: [],
      } as const
      const unopened = { ...anchor, logId: `0x${'ff'.repeat(32)}` } as const
      const tried = await stage.chain.simulate({
        to: auditLog,
        data: stage.chain.auditLog.encodeAnchor(unopened),
      })
      expect('refusal' in tried && tried.refusal.name).to.equal('NotOperator')
    })

    it('keeps the call and raises the fees when it signs a transaction again', async () => {
      const call = { to: WALLET, data: '0x1234' } as const
      const given = { chainId: 31337, nonce: 7, gas: 50_000n }
      const first = await stage.chain.sign(call, { ...given, maxFeePerGas: 8n, maxPriorityFeePerGas: 1n })
      const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
      const again = await stage.chain.signWithFees(first.raw, fees, stage.chain.relayerAddress)
      const direct = await stage.chain.sign(call, { ...given, ...fees })
      expect(again).to.deep.equal({ ...direct, gas: 50_000n })
    })
  })
})
