import { expect } from 'chai'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { createMigratedDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { listWorkers } from '../harness/service/listWorkers.ts'
import { type SpawnedService, spawnService } from '../harness/service/spawnService.ts'

/** How long a request waits for the worker that its connection reached, before it is repeated on another one. */
const PATIENCE_MS = 4_000

describe('a worker that hangs', function () {
  this.timeout(240_000)
  const folder = createTemporaryFolder()
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let chain: LocalChain
  let service: SpawnedService

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createMigratedDatabase()
    chain = await takeChain()
    service = await spawnService({
      WORKERS: '2',
      PORT: String(await findFreePort()),
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      RPC_URL: chain.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      CONFIRMATIONS: '1',
      DATA_DIR: folder.path,
      LOG_LEVEL: 'warn',
    })
  })
  after(async () => {
    await service?.end('SIGKILL')
    await chain?.stop()
    await database?.drop()
    folder.remove()
  })

  const members = () => listWorkers(service.process)
  const get = async (path: string): Promise<string> => {
    for (;;) {
      try {
        const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(PATIENCE_MS) }
        return await (await fetch(service.baseUrl + path, options)).text()
      } catch {
        // The connection reached the worker that hangs.
      }
    }
  }
  const figures = async () => {
    const text = await get('/metrics')
    const figure = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(name))
          ?.split(' ')
          .at(-1),
      )
    return {
      healthy: figure('svc_healthy '),
      answered: figure('svc_http_requests_total{route="GET /api/chain",status="200"}'),
    }
  }

  it('counts as not healthy, keeps its counters in the sum, and is replaced within 40 seconds', async () => {
    await Promise.all(Array.from({ length: 20 }, () => get('/api/chain')))
    const before = await figures()
    expect(before).to.deep.equal({ healthy: 1, answered: 20 })
    const pids = members()
    const [hanging = 0, other = 0] = pids
    process.kill(hanging, 'SIGSTOP')
    const begun = performance.now()
    expect(await figures()).to.deep.equal({ ...before, healthy: 0 })
    await waitUntil(async () => (members().includes(hanging) ? null : true))
    expect(performance.now() - begun).to.be.within(25_000, 40_000)
    await waitUntil(async () => ((await figures()).healthy === 1 && members().length === 2 ? true : null))
    expect(members()).to.include(other)
    expect((await figures()).answered).to.be.at.least(20)
    const killed = service
      .log()
      .split('\n')
      .filter((line) => line.includes('"a server process has not responded for 30 seconds and is killed"'))
    expect(killed.map((line) => JSON.parse(line).pid)).to.deep.equal([hanging])
  })

  it('does not outlive the process that started it, when that is told to stop', async () => {
    const [hanging = 0] = members()
    process.kill(hanging, 'SIGSTOP')
    expect(await service.end('SIGTERM')).to.equal(1)
    await waitUntil(async () => {
      try {
        process.kill(hanging, 0)
        return null
      } catch {
        return true
      }
    })
  })
})
