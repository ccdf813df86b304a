import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { createRpc } from '../../harness/chain/createRpc.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import { listen } from '../../harness/peers/listen.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NPM_RUN = ['--prefix', ROOT, '--silent', '--logs-max=0', 'run', 'mirror', '--'] as const
const CONTRACT = `0x${'12'.repeat(20)}`

describe('npm run mirror at SIGTERM', function () {
  this.timeout(30_000)

  /** Runs it until something has happened, then sends SIGTERM to npm, which ends with its process; returns how. */
  async function stopAt(args: string[], until: Promise<unknown>) {
    const env = { ...process.env, MIRROR_PRIVATE_KEY: LOCAL_CHAIN_KEY }
    const child = spawn('npm', [...NPM_RUN, ...args], { env })
    const exited = once(child, 'exit')
    await until
    child.kill('SIGTERM')
    const [code, signal] = await exited
    return { code, signal }
  }

  it('ends with 2 while it deploys, without waiting for its transaction', async () => {
    const chain = await takeChain()
    await createRpc(chain.url)('evm_setAutomine', [false])
    const node = await openNodeProxy(chain.url)
    const isWaiting = new Promise<void>((resolve) => {
      node.intercept(({ method }) => {
        if (method === 'eth_getTransactionReceipt') resolve()
        return 'pass'
      })
    })
    const ended = await stopAt(['--rpc', node.url, '--deploy'], isWaiting)
    node.close()
    await chain.stop()
    expect(ended).to.deep.equal({ code: 2, signal: null })
  })

  for (const [name, args, code] of [
    ['0 while it follows a service', [], 0],
    ['2 if it was to look once', ['--once'], 2],
  ] as const)
    it(`ends with ${name}, which never responds`, async () => {
      const chain = await takeChain()
      const node = await openNodeProxy(chain.url)
      // Any contract counts as an audit log that returns a head.
      node.intercept(({ method }) => (method === 'eth_call' ? { result: `0x${'0'.repeat(320)}` } : 'pass'))
      const asked = Promise.withResolvers<void>()
      const service = await listen(() => asked.resolve())
      const own = ['--rpc', node.url, '--contract', CONTRACT, '--service', service.url]
      const ended = await stopAt([...own, ...args], asked.promise)
      await service.stop()
      node.close()
      await chain.stop()
      expect(ended).to.deep.equal({ code, signal: null })
    })
})
