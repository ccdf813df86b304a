import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'

const ROOT = join(import.meta.dirname, '../..')
const TAG = `svc-registry-test-${process.pid}`
const BUILD_MS = 12 * 60_000
const OUTPUT_MAX = 64 * 1024 * 1024
/** What shows that the machine, not the project, keeps an image from being built. */
const UNREACHABLE =
  /debootstrap|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|_CERT|CERTIFICATE|Operation not permitted/

/** Containers in a changed root need no kernel features, and share the network of the machine. */
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
const execute = promisify(execFile)
const run = (command: string, words: readonly string[], timeout: number) =>
  execute(command, words, { cwd: ROOT, env, timeout, maxBuffer: OUTPUT_MAX })

/** Builds the image; a reason why this machine cannot. */
async function build(): Promise<string | null> {
  try {
    await run('npm', ['run', 'image', '--', '--local-base', '--tag', TAG], BUILD_MS)
    return null
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    const end = `${stdout}\n${stderr}`.split('\n').slice(-60).join('\n')
    if (UNREACHABLE.test(end)) return end
    throw new Error(end, { cause: error })
  }
}

describe('the image', () => {
  let container: string
  const started: ChildProcess[] = []

  before(async function () {
    this.timeout(BUILD_MS)
    const tools = ['buildah', 'debootstrap']
    const found = await Promise.all(tools.map((tool) => run(tool, ['--version'], 10_000).catch(() => null)))
    if (process.getuid?.() !== 0 || found.includes(null)) return this.skip()
    const reason = await build()
    if (reason !== null) {
      console.log(`      no image is built here: ${reason}`)
      return this.skip()
    }
    container = (await run('buildah', ['from', TAG], 60_000)).stdout.trim()
  })
  after(async () => {
    for (const child of started.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    if (container === undefined) return
    await run('buildah', ['rm', container], 60_000)
    await run('buildah', ['rmi', TAG], 60_000)
  })

  const within = (...words: string[]) => ['run', container, '--', ...words]

  it('runs the demo as its user, who has no rights', async function () {
    this.timeout(180_000)
    const { stdout: user } = await run('buildah', within('id', '-u'), 30_000)
    expect(user.trim()).to.equal('10001')
    const { stdout } = await run('buildah', within('node', 'scripts/demo.ts', '--no-keep'), 150_000)
    expect(stdout).to.include('Everything works')
  })

  it('serves API, dashboard and documentation, and stops on SIGTERM', async () => {
    const [port, chainPort] = [await findFreePort(), await findFreePort()]
    const settings = ['env', `PORT=${port}`, `CHAIN_PORT=${chainPort}`, `PUBLIC_URL=http://127.0.0.1:${port}`]
    const service = spawn('buildah', within(...settings, 'node', 'server/main.js'), { cwd: ROOT, env })
    started.push(service)
    const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
    await waitUntil(async () => ((await read('/api/health'))?.ok ? true : null))
    for (const path of ['/', '/docs/', '/api/chain']) expect((await read(path))?.status, path).to.equal(200)
    service.kill('SIGTERM')
    await once(service, 'exit')
    expect(await read('/api/health')).to.equal(null)
  })
})
