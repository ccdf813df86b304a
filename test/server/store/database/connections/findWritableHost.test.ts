import { expect } from 'chai'
import { findWritableHost } from '../../../../../server/store/database/connections/findWritableHost.ts'
import { type PostgresServer, startPostgres, testsPostgres } from '../../../../harness/database/postgres.ts'

const CALLS = 20

describe('findWritableHost', function () {
  this.timeout(60_000)
  let primary: PostgresServer
  let standby: PostgresServer

  before(async function () {
    if (!testsPostgres) this.skip()
    primary = await startPostgres()
    standby = await startPostgres({ standbyOf: primary })
  })
  after(() => {
    standby?.stop()
    primary?.stop()
  })

  const hostOf = (server: PostgresServer) => new URL(server.url).host
  const buildUrl = (...hosts: string[]) => `postgres://svc:secret@${hosts.join(',')}/postgres`
  const explain = (url: string) => findWritableHost(url).catch((error: Error) => error)

  it('returns the primary, whatever its position, and a single host unasked', async () => {
    for (const hosts of [
      [hostOf(primary), hostOf(standby)],
      [hostOf(standby), '127.0.0.1:1', hostOf(primary)],
    ]) {
      expect(await findWritableHost(buildUrl(...hosts))).to.equal(buildUrl(hostOf(primary)))
    }
    expect(await findWritableHost(buildUrl('127.0.0.1:1'))).to.equal(buildUrl('127.0.0.1:1'))
  })

  it('names every host and the reason if none accepts writes, asks to retry, and hides the password', async () => {
    const error = await explain(buildUrl('127.0.0.1:1', hostOf(standby)))
    expect(error).to.include({
      code: '08001',
      message: `PostgreSQL accepts writes at none of the hosts of DATABASE_URL: 127.0.0.1:1 (ECONNREFUSED), ${hostOf(standby)} (read-only)`,
    })
    const single = await explain(`${buildUrl(hostOf(standby))}?target_session_attrs=read-write`)
    expect(single)
      .to.have.property('message')
      .that.contains(`${hostOf(standby)} (read-only)`)
    for (const each of [error, single]) expect(JSON.stringify(each) + String(each)).to.not.contain('secret')
  })

  it('returns a promoted standby from then on, also while the former primary accepts writes', async () => {
    const url = buildUrl(hostOf(primary), hostOf(standby))
    await standby.promote()
    const known = `${url}?application_name=new`
    for (let call = 0; call < CALLS; call += 1) {
      expect(await findWritableHost(known)).to.contain(hostOf(standby))
    }
    const only = await explain(buildUrl(hostOf(primary), '127.0.0.1:1'))
    expect(only).to.equal(buildUrl(hostOf(primary)))
    await standby.kill()
    expect(await explain(known))
      .to.have.property('message')
      .that.contains(
        `${hostOf(primary)} (was replaced by a newer primary), ${hostOf(standby)} (ECONNREFUSED)`,
      )
  })
})
