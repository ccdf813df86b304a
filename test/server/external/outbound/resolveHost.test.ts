import { createSocket } from 'node:dgram'
import { expect } from 'chai'
import { createResolveHost, type ResolveHost } from '../../../../server/external/outbound/resolveHost.ts'
import { startAddressNameServer } from '../../../harness/peers/startAddressNameServer.ts'

describe('createResolveHost', () => {
  const found = (resolve: ResolveHost, host: string) =>
    new Promise<string[]>((resolved, rejected) => {
      resolve(host, (error, addresses) =>
        error ? rejected(error) : resolved(addresses.map(({ address, family }) => `${family} ${address}`)),
      )
    })

  it('finds the addresses of both families, or of the only one', async () => {
    const server = await startAddressNameServer({
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

  it('uses the system only for names without a dot', async () => {
    const server = await startAddressNameServer({})
    const resolve = createResolveHost([server.address])
    const unknown = await found(resolve, 'nobody.acme.io').catch(({ code }) => code)
    expect(unknown).to.equal('ENOTFOUND')
    expect(server.asked).to.have.members(['A nobody.acme.io', 'AAAA nobody.acme.io'])
    server.asked.length = 0
    const local = await found(resolve, 'localhost')
    expect(local.some((address) => ['4 127.0.0.1', '6 ::1'].includes(address))).to.equal(true)
    expect(server.asked).to.deep.equal([])
    await server.stop()
  })

  it('does not wait long for an address family without a response', async () => {
    const silentOfSix = createSocket('udp4')
    const server = await startAddressNameServer({ 'A four.acme.io': ['192.0.2.1'] })
    const [host, port] = server.address.split(':')
    const askers = new Map<number, number>()
    silentOfSix.on('message', (message, { port: from }) => {
      const isReply = from === Number(port)
      const asker = askers.get(message.readUInt16BE(0))
      if (isReply && asker !== undefined) silentOfSix.send(message, asker, '127.0.0.1')
      // After the name come two bytes of type and two of class.
      const typeAt = message.indexOf('\x04acme\x02io\x00') + 9
      if (isReply || message.readUInt16BE(typeAt) === 28) return
      askers.set(message.readUInt16BE(0), from)
      silentOfSix.send(message, Number(port), host)
    })
    await new Promise<void>((bound) => silentOfSix.bind(0, '127.0.0.1', bound))
    const resolve = createResolveHost([`127.0.0.1:${silentOfSix.address().port}`])
    const begun = performance.now()
    expect(await found(resolve, 'four.acme.io')).to.deep.equal(['4 192.0.2.1'])
    // A family times out after two attempts of two seconds.
    expect(performance.now() - begun).to.be.below(2_000)
    silentOfSix.close()
    await server.stop()
  })

  it('does not delay other names while name servers are silent', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound))
    const unheard = createResolveHost([`127.0.0.1:${silent.address().port}`])
    const waiting = Array.from({ length: 50 }, (_, nth) => found(unheard, `n${nth}.acme.io`))
    const ended = Promise.allSettled(waiting)
    let isFirst = true
    void ended.then(() => {
      isFirst = false
    })
    // The system's lookup works, because none of its threads is occupied.
    expect(await found(unheard, 'localhost')).to.not.equal(undefined)
    expect(isFirst).to.equal(true)
    for (const { status } of await ended) expect(status).to.equal('rejected')
    silent.close()
  })
})
