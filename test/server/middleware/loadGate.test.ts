import { connect } from 'node:net'
import { expect } from 'chai'
import type { Route } from '../../../server/middleware/serve.ts'
import { SESSION_PRINCIPAL } from '../../builders/sessionPrincipal.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

describe('requests beyond the concurrency limit', () => {
  let served: Served
  let inside: number
  let letGo: () => void
  const held: Route = {
    method: 'GET',
    path: '/api/held',
    access: 'anyone',
    budget: 'public',
    async handler() {
      inside += 1
      await new Promise<void>((resolve) => {
        const before = letGo
        letGo = () => {
          before()
          resolve()
        }
      })
      return { body: { success: true } }
    },
  }
  const broken: Route = {
    ...held,
    path: '/api/broken',
    handler() {
      throw new Error('of ours')
    },
  }
  const known: Route = { ...held, path: '/api/known', handler: () => ({ body: { success: true } }) }
  const vital: Route = { ...known, path: '/api/vital', vital: true }

  beforeEach(async () => {
    inside = 0
    letGo = () => undefined
    served = await serveRoutes([held, broken, vital], { maxAtOnce: 2 })
  })
  afterEach(() => served.stop())

  const get = (path: string) => fetch(served.url + path)

  it('are refused with 503 and Retry-After, while admitted ones are answered', async () => {
    const first = [get('/api/held'), get('/api/held')]
    await waitUntil(async () => (inside === 2 ? true : null))
    const refused = await get('/api/held')
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1'])
    expect(await refused.json()).to.include({ success: false, code: 'SERVICE_UNAVAILABLE' })
    expect((await get('/api/nothing')).status).to.equal(503)
    letGo()
    expect((await Promise.all(first)).map(({ status }) => status)).to.deep.equal([200, 200])
    expect((await get('/api/nothing')).status).to.equal(404)
  })

  it('do not block health checks', async () => {
    const first = [get('/api/held'), get('/api/held')]
    await waitUntil(async () => (inside === 2 ? true : null))
    expect((await get('/api/vital')).status).to.equal(200)
    letGo()
    await Promise.all(first)
  })

  it('do not include a client that disconnects during authentication', async () => {
    let lookUps = 0
    let letIn: (principal: typeof SESSION_PRINCIPAL) => void = () => undefined
    const slow = await serveRoutes([{ ...known, method: 'POST', access: 'session' }], {
      maxAtOnce: 1,
      authenticators: {
        accessToken: () =>
          new Promise((resolve) => {
            lookUps += 1
            letIn = resolve
          }),
      },
    })
    const { port, hostname } = new URL(slow.url)
    const socket = connect(Number(port), hostname)
    const head = 'POST /api/known HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nContent-Length: 2\r\n\r\n'
    socket.write(`${head}{}`)
    await waitUntil(async () => (lookUps === 1 ? true : null))
    socket.destroy()
    // By the second response, the server has processed everything that happened before the first request.
    for (let nth = 0; nth < 2; nth += 1) expect((await fetch(`${slow.url}/x`)).status).to.equal(503)
    letIn(SESSION_PRINCIPAL)
    await waitUntil(async () => ((await fetch(`${slow.url}/x`)).status === 404 ? true : null))
    await slow.stop()
  })

  it('do not include failed requests', async () => {
    for (let nth = 0; nth < 5; nth += 1) expect((await get('/api/broken')).status).to.equal(500)
    expect((await get('/api/vital')).status).to.equal(200)
    const answered = get('/api/held')
    await waitUntil(async () => (inside === 1 ? true : null))
    letGo()
    expect((await answered).status).to.equal(200)
  })
})
