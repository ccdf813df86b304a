import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { closeServer } from '../../../server/compose/closeServer.ts'

describe('closeServer', () => {
  it('answers every request already sent on kept-alive connections, and then refuses new ones', async () => {
    let answered = 0
    const server = createServer((_req, res) => setTimeout(() => res.end('ok'), 5))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const failures: string[] = []
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const outgoing = request({ port, host: '127.0.0.1', agent }, (incoming) => {
          incoming.resume().on('end', () => resolve('answered'))
        })
        outgoing.on('error', reject)
        outgoing.end()
      })
    const client = async () => {
      for (;;) {
        try {
          await ask()
          answered += 1
        } catch (error) {
          failures.push((error as NodeJS.ErrnoException).code ?? '')
          return
        }
      }
    }
    const clients = Promise.all(Array.from({ length: 20 }, client))
    while (answered < 100) await new Promise((resolve) => setTimeout(resolve, 5))
    await closeServer(server)
    await clients
    agent.destroy()
    expect(failures).to.deep.equal(Array.from({ length: 20 }, () => 'ECONNREFUSED'))
  })

  it('serves new connections until it has drained, and asks each to close after its response', async () => {
    const server = createServer((_req, res) => res.end('ok'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ask = () => fetch(`http://127.0.0.1:${port}/`)
    expect((await ask()).headers.get('connection')).to.equal('keep-alive')
    const drained = Promise.withResolvers<void>()
    const steps: string[] = []
    const closed = closeServer(server, {
      drain: () => drained.promise,
      endStreams: () => void steps.push(server.listening ? 'streams end before the port closes' : 'too late'),
    })
    for (let nth = 0; nth < 3; nth += 1) {
      const { status, headers } = await ask()
      expect([status, headers.get('connection')]).to.deep.equal([200, 'close'])
    }
    expect(steps).to.deep.equal([])
    drained.resolve()
    await closed
    expect(steps).to.deep.equal(['streams end before the port closes'])
    expect(server.listening).to.equal(false)
  })

  it('closes immediately if nobody is connected', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await closeServer(server)
    expect(server.listening).to.equal(false)
  })
})
