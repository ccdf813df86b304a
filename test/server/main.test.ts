import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { startLocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { createMigratedDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { findNode } from '../harness/runner/findNode.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type SpawnedService, spawnService } from '../harness/service/spawnService.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'server/main.js')
const NPM_START = ['npm', '--prefix', ROOT, '--silent', '--logs-max=0', 'start'] as const
/** Interval between two signals of one request to stop, as npm and a terminal send them. */
const APART_MS = 3

describe('the process of the service', function () {
  this.timeout(120_000)
  let folder: ReturnType<typeof createTemporaryFolder>
  let service: SpawnedService

  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => {
    try {
      void service.endGroup('SIGKILL')
    } catch {
      // All processes have ended.
    }
    folder.remove()
  })

  async function start(
    command?: readonly [string, ...string[]],
    more: Record<string, string> = {},
  ): Promise<void> {
    const settings = {
      DATA_DIR: folder.path,
      PORT: String(await findFreePort()),
      CHAIN_PORT: String(await findFreePort()),
      LOG_LEVEL: 'error',
      ...more,
    }
    service = await spawnService(settings, { leadsGroup: true, ...(command ? { command } : {}) })
  }

  /** A sign-up with an incomplete body, for which the service has to wait. */
  async function beginRequest() {
    const account = {
      email: `${randomUUID()}@people.io`,
      password: 'correct horse battery',
      fullName: 'An Owner',
      accountType: 'individual',
    }
    const body = JSON.stringify(account)
    // `100 Continue` confirms that the service has accepted the connection, which may wait in the kernel until then.
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    }
    const outgoing = request(`${service.baseUrl}/api/auth/register`, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.statusCode))
      })
    })
    status.catch(() => undefined)
    outgoing.flushHeaders()
    await once(outgoing, 'continue')
    outgoing.write(body.slice(0, 20))
    return {
      finish() {
        outgoing.end(body.slice(20))
        return status
      },
    }
  }

  const isListening = () =>
    fetch(`${service.baseUrl}/api/health`).then(
      () => true,
      () => false,
    )
  const stopsListening = () => waitUntil(async () => ((await isListening()) ? null : true))

  /** Completes a request that was in transit when the service was told to stop, and expects exit code 0. */
  async function expectOrderlyEnd(end: () => Promise<number | null>): Promise<void> {
    const sent = await beginRequest()
    const ended = end()
    await stopsListening()
    expect(await sent.finish()).to.equal(201)
    expect(await ended).to.equal(0)
  }

  it('answers requests in transit if a signal arrives twice within milliseconds', async () => {
    await start()
    await expectOrderlyEnd(async () => {
      const ended = service.end('SIGTERM')
      await pause(APART_MS)
      service.process.kill('SIGTERM')
      return ended
    })
  })

  it('stops gracefully if its terminal is closed', async () => {
    await start()
    await expectOrderlyEnd(() => service.end('SIGHUP'))
  })

  it('stops gracefully if the npm that started it is signalled', async () => {
    await start(NPM_START)
    await expectOrderlyEnd(() => service.end('SIGTERM'))
  })

  it('stops gracefully if npm’s whole process group is signalled', async () => {
    await start(NPM_START)
    await expectOrderlyEnd(() => service.endGroup('SIGTERM'))
  })

  /** Starts two workers over a database and a chain of their own, for the duration of `use`. */
  async function withWorkers(more: Record<string, string>, use: () => Promise<void>): Promise<void> {
    const database = await createMigratedDatabase()
    const chain = await startLocalChain(await findFreePort())
    try {
      await start(undefined, {
        WORKERS: '2',
        DATABASE_URL: database.url,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '1',
        ...more,
      })
      await use()
    } finally {
      await chain.stop()
      await database.drop()
    }
  }

  it('stops gracefully with all workers if their group is signalled twice', async function () {
    if (!testsPostgres) this.skip()
    await withWorkers({}, async () => {
      const sent = await Promise.all([beginRequest(), beginRequest(), beginRequest(), beginRequest()])
      void service.endGroup('SIGTERM')
      await pause(APART_MS)
      const ended = service.endGroup('SIGTERM')
      await stopsListening()
      const answers = await Promise.all(sent.map(({ finish }) => finish()))
      expect(answers).to.deep.equal([201, 201, 201, 201])
      expect(await ended).to.equal(0)
    })
  })

  it('drains all workers if the initial process is signalled, and then exits', async function () {
    if (!testsPostgres) this.skip()
    await withWorkers({ DRAIN_SECONDS: '11' }, async () => {
      const ended = service.end('SIGTERM')
      let failedInTurn = 0
      await waitUntil(async () => {
        failedInTurn = (await readHealth()).status === 503 ? failedInTurn + 1 : 0
        return failedInTurn === 20 ? true : null
      })
      expect(await readHealth()).to.deep.equal(STOPPING)
      expect(await (await beginRequest()).finish()).to.equal(201)
      expect(await ended).to.equal(0)
      expect(await isListening()).to.equal(false)
    })
  })

  it('reports a failed stop, not a failed start, if a part cannot be closed', async () => {
    await start()
    const stranger = new Database(join(folder.path, 'svc.sqlite'), { timeout: 10_000 })
    stranger.exec('BEGIN IMMEDIATE')
    const code = await service.end('SIGTERM')
    stranger.close()
    expect(service.log()).to.include('Did not stop in order: ').and.not.include('Cannot start')
    expect(code).to.equal(1)
  })

  it('exits immediately on a later second signal while it is not draining', async () => {
    await start()
    await beginRequest()
    const ended = service.end('SIGTERM')
    await pause(1_100)
    service.process.kill('SIGTERM')
    expect(await ended).to.equal(1)
  })

  /** Reads the health over a new connection. */
  async function readHealth() {
    const response = await fetch(`${service.baseUrl}/api/health`, { headers: { connection: 'close' } })
    const { checks } = (await response.json()) as { checks: { process?: object } }
    return { status: response.status, process: checks.process }
  }
  const STOPPING = { status: 503, process: { status: 'fail', detail: 'the process is stopping' } }

  it('serves everything for DRAIN_SECONDS while its health fails, and then exits with status 0', async () => {
    // Longer than the time after which a stop is forced.
    await start(undefined, { DRAIN_SECONDS: '11' })
    const shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId } = await registerAgent(service.baseUrl)
    const ended = service.end('SIGTERM')
    await waitUntil(async () => ((await readHealth()).status === 200 ? null : true))
    expect(await readHealth()).to.deep.equal(STOPPING)
    const decided = await fetch(`${service.baseUrl}/api/agents/verify-access`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: svcId, counterpartyId }),
    })
    expect([decided.status, decided.headers.get('connection')]).to.deep.equal([200, 'close'])
    expect(await ended).to.equal(0)
    expect(await isListening()).to.equal(false)
  })

  it('exits immediately on a later second signal while it is draining', async () => {
    await start(undefined, { DRAIN_SECONDS: '60' })
    const ended = service.end('SIGTERM')
    await waitUntil(async () => ((await readHealth()).status === 200 ? null : true))
    await pause(1_100)
    service.process.kill('SIGTERM')
    expect(await ended).to.equal(1)
  })

  it('creates files that only its own user can read, whatever the umask and the folder', async function () {
    // Windows has no modes.
    if (process.platform === 'win32') this.skip()
    const files = join(folder.path, 'shared', 'registration-files')
    mkdirSync(files, { recursive: true, mode: 0o777 })
    const command = ['sh', '-c', `umask 000 && exec "${process.execPath}" "${MAIN}"`] as const
    await start(command, { REGISTRATION_FILES_DIR: files })
    await registerAgent(service.baseUrl)
    await waitUntil(async () => (readdirSync(files).length > 0 ? true : null))
    expect(await service.end('SIGTERM')).to.equal(0)
    const entries = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    const created = entries.filter((path) => !/^shared(\/registration-files)?$/.test(path))
    expect(created.length).to.be.above(5)
    const open = created.filter((path) => (statSync(join(folder.path, path)).mode & 0o077) !== 0)
    expect(open).to.deep.equal([])
  })

  it('prints a coloured summary on a terminal, and stays plain under NO_COLOR', async function () {
    if (spawnSync('script', ['--version']).status !== 0) this.skip()
    for (const [settings, isColoured] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      const port = String(await findFreePort())
      const url = `http://127.0.0.1:${port}`
      const env = {
        ...{ PATH: process.env.PATH, TERM: 'xterm', PORT: port, CHAIN_PORT: '0', PUBLIC_URL: url },
        ...{ DATA_DIR: folder.path, REGISTRATION_FILES_DIR: join(folder.path, 'files') },
      }
      const words = ['-qec', `exec ${process.execPath} ${MAIN}`, '/dev/null']
      const child = spawn('script', words, {
        env: { ...env, ...settings },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      let shown = ''
      child.stdout.on('data', (chunk) => {
        shown += chunk
      })
      await waitUntil(async () => (shown.includes('Ctrl+C') ? true : null))
      const ended = once(child, 'exit')
      child.stdin.write('\u0003')
      expect(await ended).to.deep.equal([0, null])
      expect(shown).to.include(url).and.include('Agent registry').and.not.include('{"level"')
      expect(shown.includes('\u001b[')).to.equal(isColoured)
    }
  })

  it('names the required version on an old Node, and does nothing else', function () {
    const old = findNode(20)
    if (old === null) return this.skip()
    const options = {
      env: { ...process.env, DATA_DIR: folder.path },
      encoding: 'utf8',
      timeout: 30_000,
    } as const
    const { status, stderr } = spawnSync(old, [MAIN], options)
    expect(stderr).to.match(/^This service needs Node 24 and runs on v20\./)
    expect(status).to.equal(1)
    expect(readdirSync(folder.path)).to.deep.equal([])
    return undefined
  })
})
