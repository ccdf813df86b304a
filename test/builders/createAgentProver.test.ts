import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAgentProver } from './createAgentProver.ts'

const REQUEST = { agentId: 'SVC-1', counterpartyId: 'SVCE-1' }

describe('a prover of agents', () => {
  /** Answers the next request for a token with each status in turn. */
  async function proveAt(...statuses: number[]) {
    const server = createServer((_, res) => {
      res.writeHead(statuses.shift() ?? 500, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ error: { code: 'SERVICE_UNAVAILABLE' } }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const prover = createAgentProver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, Date.now)
    prover.add(REQUEST.agentId, privateKeyToAccount(generatePrivateKey()))
    try {
      return await prover.prove(REQUEST)
    } finally {
      server.close()
    }
  }

  it('does not send a request without proof because the service is unavailable', async () => {
    const failure = await proveAt(503).catch(({ message }: Error) => message)
    expect(failure).to.contain('SERVICE_UNAVAILABLE')
  })

  it('leaves the request of an agent that is refused a token as it is', async () => {
    expect(await proveAt(403)).to.deep.equal(REQUEST)
  })
})
