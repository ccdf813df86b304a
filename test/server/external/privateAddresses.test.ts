import { expect } from 'chai'
import {
  createGetText,
  createGuardedFetch,
  createPostJson,
  createPostText,
} from '../../../server/external/outbound/outboundHttp.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { listen } from '../../harness/peers/listen.ts'
import { type Canary, openCanary } from '../../harness/peers/openCanary.ts'
import { LOOPBACK_HOSTS, PRIVATE_HOSTS } from '../../harness/peers/privateHosts.ts'

const OPTIONS = { allowPrivate: false, timeoutMs: 5_000 }
const request = { text: 'x', headers: {}, signal: new AbortController().signal }

/** The guarded clients, each with the schemes that it supports. */
const CLIENTS: readonly (readonly [string, readonly string[], (url: string) => Promise<unknown>])[] = [
  ['postJson', ['http', 'https'], (url) => createPostJson(OPTIONS)(url, {})],
  ['postText', ['https'], (url) => createPostText(OPTIONS)(url, request)],
  ['getText', ['https'], (url) => createGetText(OPTIONS)(url)],
  ['guardedFetch', ['http', 'https'], (url) => createGuardedFetch(OPTIONS)(url)],
]

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: Error) => error.message,
  )

describe('private addresses', () => {
  let canary: Canary
  before(async () => {
    canary = await openCanary()
  })
  after(() => canary.stop())

  it('have more than 200 spellings in this test', () => {
    expect(PRIVATE_HOSTS.length).to.be.above(200)
  })

  for (const [name, schemes, send] of CLIENTS) {
    it(`are not reached by ${name} in any spelling`, async () => {
      const letIn: string[] = []
      for (const scheme of schemes) {
        for (const host of PRIVATE_HOSTS) {
          const message = await failure(send(`${scheme}://${host}:${canary.port}/`))
          if (!/^(the address is not public|getaddrinfo ENOTFOUND localhost\.)$/.test(message))
            letIn.push(`${scheme} ${host}: ${message}`)
        }
      }
      expect(letIn).to.deep.equal([])
      expect(canary.contacts()).to.equal(0)
    })
  }

  it('are reached by most of these spellings if allowed', async () => {
    const open = await openCanary()
    const post = createPostJson({ allowPrivate: true, timeoutMs: 1_000 })
    await Promise.all(LOOPBACK_HOSTS.map((host) => failure(post(`http://${host}:${open.port}/`, {}))))
    const contacts = open.contacts()
    await open.stop()
    expect(contacts).to.be.above(25)
    reportFaultFigure(
      `${PRIVATE_HOSTS.length} spellings × 4 outbound paths: 0 contacts with the canary (${contacts} when allowed)`,
    )
  })

  it('are refused after a single DNS lookup', async () => {
    const server = await listen((_req, res) => res.end('{}'))
    const asked: string[] = []
    /** Resolves a name whose owner changes its address between two lookups. */
    const rebinding = (addresses: readonly string[]) =>
      ((name: string, callback: (error: null, found: object[]) => void) => {
        asked.push(name)
        const address = addresses[Math.min(asked.length, addresses.length) - 1]
        callback(null, [{ address, family: 4 }])
      }) as never
    const url = `http://rebinding.acme.io:${server.port}/`
    const refused = createPostJson({ ...OPTIONS, resolve: rebinding(['127.0.0.1', '8.8.8.8']) })
    expect(await failure(refused(url, {}))).to.equal('the address is not public')
    expect(asked).to.have.length(1)
    asked.length = 0
    const pinned = createPostJson({
      allowPrivate: true,
      timeoutMs: 5_000,
      resolve: rebinding(['127.0.0.1', '192.0.2.1']),
    })
    expect((await pinned(url, {})).status).to.equal(200)
    expect(asked).to.deep.equal(['rebinding.acme.io'])
    await server.stop()
  })

  it('are refused if a name has several', async () => {
    const resolve = ((_name: string, callback: (error: null, found: object[]) => void) =>
      callback(null, [
        { address: '10.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])) as never
    const post = createPostJson({ ...OPTIONS, resolve })
    expect(await failure(post(`http://mixed.acme.io:${canary.port}/`, {}))).to.equal(
      'the address is not public',
    )
    expect(canary.contacts()).to.equal(0)
  })
})
