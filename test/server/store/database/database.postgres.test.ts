import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { openPostgresDatabase } from '../../../../server/store/database/database.postgres.ts'
import { createPostgresDatabase, testsPostgres } from '../../../harness/database/postgres.ts'

/** Forwards connections until the open ones silently stop carrying data. */
async function openSilenceable(url: string) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => undefined)
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  Object.assign(through, { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
  return {
    url: through.href,
    silence() {
      for (const socket of open) socket.unpipe().pause()
    },
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('openPostgresDatabase', () => {
  before(function () {
    if (!testsPostgres) this.skip()
  })

  it('migrates once if several processes start together, and never truncates a long text', async () => {
    const { url, drop } = await createPostgresDatabase()
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresDatabase(url)))
    const [{ query } = { query: null }] = opened
    const name = 'n'.repeat(2_000)
    const user = { id: 'u', developer_id: name, account_type: 'x', created_at: Number.MAX_SAFE_INTEGER }
    await query?.('users').insert(user)
    expect(await query?.('users').first('developer_id', 'created_at')).to.deep.equal({
      developer_id: name,
      created_at: Number.MAX_SAFE_INTEGER,
    })
    await Promise.all(opened.map(({ close }) => close()))
    await drop()
  })

  it('runs the transactions of all processes one at a time', async () => {
    const { url, drop } = await createPostgresDatabase()
    const opened = await Promise.all([1, 2].map(() => openPostgresDatabase(url)))
    await opened[0]?.query('leases').insert({ name: 'counter', holder: '0', expires_at: 0 })
    const count = (_: unknown, nth: number) =>
      opened[nth % 2]?.transaction(async (trx) => {
        const { holder } = await trx('leases').first('holder')
        await trx('leases').update({ holder: String(Number(holder) + 1) })
      })
    await Promise.all(Array.from({ length: 60 }, count))
    expect((await opened[0]?.query('leases').first('holder'))?.holder).to.equal('60')
    await Promise.all(opened.map(({ close }) => close()))
    await drop()
  })

  it('uses another connection if one has fallen silent, for example behind a firewall', async () => {
    const { url, drop } = await createPostgresDatabase()
    const proxy = await openSilenceable(url)
    const { query, close } = await openPostgresDatabase(proxy.url, { statementMs: 500 })
    const one = () => query.raw('SELECT 1 AS one').then(({ rows }) => rows[0].one as number)
    expect(await one()).to.equal(1)
    proxy.silence()
    const [refused] = await Promise.allSettled([one()])
    expect(refused).to.have.nested.property('reason.code', 'SERVICE_UNAVAILABLE')
    expect(await one()).to.equal(1)
    await close()
    proxy.stop()
    await drop()
  })

  it('explains that the server is unreachable', async () => {
    const failure = await openPostgresDatabase('postgres://svc@127.0.0.1:1/x').catch((error: Error) => error)
    expect(String(failure)).to.match(/ECONNREFUSED|refused/)
  })
})
