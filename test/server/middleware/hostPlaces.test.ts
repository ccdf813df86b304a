import { connect } from 'node:net'
import { expect } from 'chai'
import { createHostPlaces } from '../../../server/middleware/createHostPlaces.ts'
import type { Route } from '../../../server/middleware/serve.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { serveRoutes } from '../../harness/service/serveRoutes.ts'

describe('places for waiting', () => {
  /** A room with 4 checks of a person, 16 of a network and 24 in all; 12, 24 and 48 decisions. */
  const open = () => createHostPlaces(192)
  /** Starts waits that last until the returned function is called, and counts those that were refused. */
  const start = async (
    places: ReturnType<typeof open>,
    holders: readonly { account: string; ip: string }[],
    wait: 'check' | 'decision' = 'check',
  ) => {
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const refused: unknown[] = []
    const held = holders.map((holder) =>
      places.hold(wait, holder, () => ended).catch((error: unknown) => void refused.push(error)),
    )
    await Promise.resolve()
    await new Promise(setImmediate)
    return {
      refused,
      async end() {
        end()
        await Promise.all(held)
      },
    }
  }
  const holders = (count: number, of: (nth: number) => { account: string; ip: string }) =>
    Array.from({ length: count }, (_, nth) => of(nth))
  const ofPerson = (count: number) => holders(count, (nth) => ({ account: 'ada', ip: `198.51.${nth}.1` }))

  const CASES = [
    ['a person, wherever they are', 4, 6, (nth: number) => ({ account: 'ada', ip: `198.51.${nth}.1` })],
    ['a network, whoever is there', 16, 12, (nth: number) => ({ account: `p${nth}`, ip: `192.0.2.${nth}` })],
    ['a /48 of IPv6', 16, 12, (nth: number) => ({ account: `p${nth}`, ip: `2001:db8:1:${nth}::` })],
    ['everybody', 24, 48, (nth: number) => ({ account: `p${nth}`, ip: `198.51.${nth}.1` })],
  ] as const
  for (const [whom, checks, decisions, of] of CASES) {
    it(`are limited for ${whom}`, async () => {
      const places = open()
      for (const [wait, most] of [
        ['check', checks],
        ['decision', decisions],
      ] as const) {
        const waiting = await start(places, holders(most + 2, of), wait)
        expect(waiting.refused).to.have.length(2)
        expect(waiting.refused[0]).to.deep.include({ code: 'RATE_LIMITED', headers: { 'Retry-After': '5' } })
        await waiting.end()
      }
    })
  }

  it('are free again when the work ends or fails', async () => {
    const places = open()
    for (let round = 0; round < 3; round += 1) {
      const waiting = await start(places, ofPerson(4))
      expect(waiting.refused).to.deep.equal([])
      await waiting.end()
    }
    for (let nth = 0; nth < 5; nth += 1) {
      const failing = places.hold('check', { account: 'ada', ip: '192.0.2.1' }, async () => {
        throw new Error('of the host')
      })
      expect(await failing.catch(({ message }) => message)).to.equal('of the host')
    }
  })

  it('leave most places for requests to those that wait for nobody', async () => {
    const places = open()
    const anybody = holders(192, (nth) => ({ account: `p${nth}`, ip: `198.51.${nth}.1` }))
    const [checks, decisions] = [await start(places, anybody), await start(places, anybody, 'decision')]
    const held = 2 * 192 - checks.refused.length - decisions.refused.length
    expect(held).to.equal(72)
    await Promise.all([checks.end(), decisions.end()])
  })

  describe('of a route', () => {
    let letGo: () => void
    let waiting: number
    const waits: Route = {
      method: 'GET',
      path: '/api/waits',
      access: 'anyone',
      budget: 'public',
      waitsForHost: 'check',
      async handler({ waitForHost }) {
        await waitForHost(async () => {
          waiting += 1
          await new Promise<void>((resolve) => {
            const before = letGo
            letGo = () => {
              before()
              resolve()
            }
          })
          waiting -= 1
        })
        return { body: { success: true } }
      },
    }
    beforeEach(() => {
      waiting = 0
      letGo = () => undefined
    })

    it('are given back by a client that disconnects, once the host is no longer waited for', async () => {
      const served = await serveRoutes([waits])
      const { port, hostname } = new URL(served.url)
      const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname))
      for (const socket of sockets) socket.write('GET /api/waits HTTP/1.1\r\nHost: x\r\n\r\n')
      await waitUntil(async () => (waiting === 4 ? true : null))
      for (const socket of sockets) socket.destroy()
      const refused = await fetch(`${served.url}/api/waits`)
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '5'])
      expect(refused.headers.get('ratelimit'), 'which would name a budget that has room').to.equal(null)
      letGo()
      await waitUntil(async () => (waiting === 0 ? true : null))
      const admitted = fetch(`${served.url}/api/waits`)
      await waitUntil(async () => (waiting === 1 ? true : null))
      letGo()
      expect((await admitted).status).to.equal(200)
      await served.stop()
    })

    it('are none if the table does not say that it waits', async () => {
      const served = await serveRoutes([{ ...waits, waitsForHost: undefined }])
      expect((await fetch(`${served.url}/api/waits`)).status).to.equal(500)
      expect(waiting).to.equal(0)
      await served.stop()
    })
  })
})
