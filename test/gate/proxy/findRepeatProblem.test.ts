import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { findRepeatProblem } from '@svc/gate/proxy/findRepeatProblem.ts'
import { expect } from 'chai'
import { openGate } from '../openGate.ts'
import { AGENT } from '../openRegistry.ts'

const OF_ONE_VALUE = ['Content-Type', 'Authorization', 'User-Agent', 'Referer', 'If-Modified-Since', 'Origin']

describe('a request that repeats a header of one value', () => {
  let opened: Awaited<ReturnType<typeof openGate>>
  let seen: string[][]
  afterEach(() => opened?.stop())

  async function ask(headers: readonly string[]) {
    const own = ['Host', 'shop.example', 'Connection', 'close', 'X-Svc-Id', AGENT]
    const sent = request(opened.url, { method: 'POST', headers: [...own, ...headers] as never })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return [response.statusCode, response.headers['x-svc-gate-status']]
  }
  async function open(upstream = true): Promise<void> {
    seen = []
    opened = await openGate(
      upstream
        ? (req, res) => {
            seen.push(req.rawHeaders)
            res.end()
          }
        : null,
    )
  }

  it('reaches no server, however the name is spelt', async () => {
    await open()
    for (const name of OF_ONE_VALUE) {
      for (const again of [name, name.toLowerCase(), name.replaceAll('-', '_')]) {
        expect(await ask([name, 'good', again, 'evil']), again).to.deep.equal([400, undefined])
      }
      expect(await ask([name, 'good', 'Accept', 'a', 'accept', 'b', 'Cookie', 'a=1'])).to.deep.equal([
        200,
        undefined,
      ])
    }
    expect(seen).to.have.lengthOf(OF_ONE_VALUE.length)
    expect(opened.asked).to.have.lengthOf(OF_ONE_VALUE.length)
  })

  it('is not hidden behind more headers than node:http shows', async () => {
    await open()
    const many = Array.from({ length: 1_000 }, (_, nth) => [`a${nth}`, '']).flat()
    expect(await ask([...many, 'X-Svc-Purpose', 'shopping:buy'])).to.deep.equal([431, undefined])
    expect([seen, opened.asked]).to.deep.equal([[], []])
    expect(findRepeatProblem({ rawHeaders: [...many, 'a', ''] })?.status).to.equal(431)
    expect(findRepeatProblem({ rawHeaders: many })).to.equal(undefined)
  })

  it('gets a no from a gate that a proxy asks', async () => {
    await open(false)
    const stated = ['X-Forwarded-Method', 'GET', 'X-Forwarded-Uri', '/', 'X-Forwarded-Host', 'shop.example']
    const all = [...stated, 'X-Forwarded-Proto', 'https']
    expect(await ask([...all, 'Content-Type', 'good', 'Content-Type', 'evil'])).to.deep.equal([403, '400'])
    expect(opened.asked).to.deep.equal([])
    expect(await ask([...all, 'Content-Type', 'good'])).to.deep.equal([200, undefined])
  })

  it('is refused with the name of the header', () => {
    expect(findRepeatProblem({ rawHeaders: ['Range', 'a', 'range', 'b'] })?.text).to.include(
      'one range header',
    )
    expect(findRepeatProblem({ rawHeaders: ['Range', 'a', 'Accept', 'b', 'Accept', 'c'] })).to.equal(
      undefined,
    )
  })
})
