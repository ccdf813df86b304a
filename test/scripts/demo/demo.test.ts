import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { startService } from '../../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
/** The first command of the README, without the installation, which has happened. */
const COMMAND = /^npm ci && (npm run demo)\b/m.exec(README)?.[1] ?? ''

describe('the demo', function () {
  this.timeout(180_000)

  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGTERM')
  })

  function run(command: string, settings: Record<string, string> = {}) {
    const { PATH, HOME } = process.env
    const child = spawn('sh', ['-c', `exec ${command}`], {
      cwd: ROOT,
      env: { PATH, HOME, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk
      })
    }
    return { child, out: () => out, ended: once(child, 'exit') }
  }

  it('does the main job as the README prints it, on a service of its own that it stops', async () => {
    const { out, ended } = run(COMMAND)
    const [code] = await ended
    expect(code, out()).to.equal(0)
    expect(out()).to.include('✓ Everything works, end to end.').and.include('npm run demo -- --keep')
    expect(out()).to.not.include('✗')
    const url = /It runs at (http:\S+)\.\n/.exec(out())?.[1] ?? ''
    expect(url).to.match(/^http:\/\/localhost:\d+$/)
    const isRunning = await fetch(url).then(
      () => true,
      () => false,
    )
    expect(isRunning).to.equal(false)
  })

  it('leaves the service running on request, with sign-ins that show what it did, until a signal', async () => {
    const { child, out, ended } = run(`${COMMAND} -- --keep`)
    await waitUntil(async () => (out().includes('The service runs until Ctrl+C') ? true : null))
    const baseUrl = /Look around: (http:\S+)\//.exec(out())?.[1] ?? ''
    const links = [...out().matchAll(/^ +the (shop|owner) +(http:\S+)$/gm)].map(([, , link]) => link ?? '')
    const pages = await Promise.all(links.map((link) => fetch(link, { redirect: 'manual' })))
    expect(pages.map(({ status }) => status)).to.deep.equal([302, 302])
    expect(pages[0]?.headers.get('location')).to.equal(`${baseUrl}/activity`)
    const [shop, owner] = [...out().matchAll(/e-mail +(\S+)\n +password +(\S+)\n/g)].map(
      ([, email, password]) => ({ email, password }),
    )
    const read = async (account: typeof owner, path: string) => {
      const signedIn = await api(baseUrl, 'POST', '/api/auth/login', { body: account })
      return (await api(baseUrl, 'GET', path, { bearer: signedIn.body.data.accessToken })).body
    }
    expect((await read(owner, '/api/agents')).items).to.have.length(1)
    expect((await read(shop, '/api/activity')).items.length).to.be.greaterThan(5)
    const folder = /its files are removed \((\S+)\)/.exec(out())?.[1] ?? ''
    expect(existsSync(folder)).to.equal(true)
    child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
    expect(existsSync(folder)).to.equal(false)
  })

  it('uses a service that is named, and leaves it running', async () => {
    const service = await startService()
    try {
      const { out, ended } = run(`${COMMAND} -- --url ${service.baseUrl} --rpc ${service.rpcUrl}`)
      const [code] = await ended
      expect(code, out()).to.equal(0)
      expect(out()).to.include(`Look around: ${service.baseUrl}/`).and.not.include('Starts a service')
      expect((await fetch(service.baseUrl)).status).to.be.lessThan(500)
    } finally {
      await service.stop()
    }
  })

  it('starts no service if a named one does not respond', async () => {
    const { out, ended } = run(COMMAND, { PORT: '9' })
    expect(await ended).to.deep.equal([1, null])
    expect(out()).to.include('No response from the service at http://localhost:9.')
    expect(out()).to.not.include('Starts a service')
  })
})
