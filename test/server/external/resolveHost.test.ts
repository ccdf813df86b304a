import { createSocket } from 'node:dgram'
import { expect } from 'chai'
import { createResolveHost, type ResolveHost } from '../../../server/external/resolveHost.ts'
import { addressNameServer } from '../../harness/addressNameServer.ts'

describe('createResolveHost', () => {
  const found = (resolve: ResolveHost, host: string) =>
    new Promise<string[]>((told, failed) => {
      resolve(host, (error, addresses) =>
        error ? failed(error) : told(addresses.map(({ address, family }) => `${family} ${address}`)),
      )
    })

  it('finds the addresses of both families, or of the one there is', async () => {
    const server = await addressNameServer({
      'A both.acme.io': ['192.0.2.1', '192.0.2.2'],
      'AAAA both.acme.io': ['2001:db8::1'],
      'AAAA six.acme.io': ['2001:db8::2'],
    })
    const resolve = createResolveHost([server.address])
    expect(await found(resolve, 'both.acme.io')).to.have.members([
      '4 192.0.2.1',
      '4 192.0.2.2',
      '6 2001:db8::1',
    ])
    expect(await found(resolve, 'six.acme.io')).to.deep.equal(['6 2001:db8::2'])
    await server.stop()
  })

  it('asks the system for names that stand in no name server', async () => {
    const server = await addressNameServer({})
    const resolve = createResolveHost([server.address])
    const local = await found(resolve, 'localhost')
    expect(local.some((address) => ['4 127.0.0.1', '6 ::1'].includes(address))).to.equal(true)
    expect(server.asked).to.deep.equal([])
    await server.stop()
  })

  it('keeps nobody waiting for names whose servers say nothing', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound))
    const unheard = createResolveHost([`127.0.0.1:${silent.address().port}`])
    const waiting = Array.from({ length: 50 }, (_, nth) => found(unheard, `n${nth}.acme.io`))
    const ended = Promise.allSettled(waiting)
    let isFirst = true
    void ended.then(() => {
      isFirst = false
    })
    // The system's look-up, too: none of its threads is taken.
    expect(await found(unheard, 'localhost')).to.not.equal(undefined)
    expect(isFirst).to.equal(true)
    for (const { status } of await ended) expect(status).to.equal('rejected')
    silent.close()
  })
})
