import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { startLocalChain } from '../../../server/chain/localChain.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'

const PARENT = `
  import { startLocalChain } from ${JSON.stringify(resolve('server/chain/localChain.ts'))}
  await startLocalChain(Number(process.argv[1]))
  console.log('running')
  setInterval(() => undefined, 1000)
`

async function isResponding(port: number): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { 'content-type': 'application/json' }
  return fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).then(
    (response) => response.ok,
    () => false,
  )
}

async function isGone(port: number): Promise<boolean> {
  for (let look = 0; look < 200; look += 1) {
    if (!(await isResponding(port))) return true
    await pause(25)
  }
  return false
}

/** Starts a process with a chain in a folder without a Hardhat configuration. */
async function parentWithChain(port: number): Promise<ChildProcess> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, String(port)], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (parent.stdout) await once(parent.stdout, 'data')
  return parent
}

describe('local chain', () => {
  it('responds on the port it reports, and no longer once stopped', async () => {
    const chain = await startLocalChain(await findFreePort())
    const port = Number(new URL(chain.url).port)
    expect(await isResponding(port)).to.equal(true)
    expect(chain.isRunning()).to.equal(true)
    await chain.stop()
    expect(chain.isRunning()).to.equal(false)
    expect(await isResponding(port)).to.equal(false)
    await chain.stop()
  })

  it('starts from any folder and exits with its parent, even one that is killed', async () => {
    const port = await findFreePort()
    const parent = await parentWithChain(port)
    expect(await isResponding(port)).to.equal(true)
    parent.kill('SIGKILL')
    expect(await isGone(port)).to.equal(true)
  })
})
