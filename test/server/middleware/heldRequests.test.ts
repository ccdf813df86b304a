import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Route } from '../../../server/middleware/serve.ts'
import { SESSION_PRINCIPAL } from '../../builders/sessionPrincipal.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

const KEY = {
  kind: 'apiKey' as const,
  keyId: 'key',
  userId: 'user',
  personId: 'user',
  developerId: 'SVCD-0000000000000000000001',
  organizationId: null,
  actsFor: new Set<string>(),
  writesFor: new Set(['SVCO-1']),
  suspendedOrganizations: new Set<string>(),
}
const SIGNED = { 'x-svc-signature': '0x00', 'x-svc-address': '0x00', 'x-svc-service': 'svc.test' }
const BOUNDARY = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n'

const json: Route = {
  method: 'POST',
  path: '/json',
  access: 'signatureOrApiKey',
  budget: 'public',
  handler: ({ principal }) => ({ body: { signedBy: 'signedBy' in principal ? principal.signedBy : null } }),
}
/** The host for which a request waits. */
let host: () => Promise<string>
const waiting: Route = {
  ...json,
  path: '/waiting',
  waitsForHost: 'check',
  handler: async (call) => ({ body: await call.waitForHost(host) }),
}
const upload: Route = {
  ...json,
  path: '/upload',
  access: 'session',
  upload: { files: [], fields: ['text'], fileBytesMax: 1, fieldBytesMax: 100, timeoutMs: 5_000 },
  handler: async (call) => ({ body: await call.readUpload() }),
}

describe('a request whose credential is revoked', () => {
  let served: Served
  let isValid: boolean
  let authenticated: number
  let writesFor: ReadonlySet<string>

  before(async () => {
    const check = async <Found>(found: Found) => {
      authenticated += 1
      return isValid ? found : null
    }
    served = await serveRoutes([json, upload, waiting], {
      authenticators: {
        apiKey: () => check({ ...KEY, writesFor }),
        accessToken: () => check(SESSION_PRINCIPAL),
        signature: async () => ({ kind: 'signature', address: '0x01', nonce: 'n' }),
      },
    })
  })
  beforeEach(() => {
    isValid = true
    authenticated = 0
    writesFor = KEY.writesFor
  })
  after(() => served?.stop())

  /** Sends a request whose body ends once its credential was looked up and `meanwhile` has run. */
  async function send(
    path: string,
    [first, rest]: [string, string],
    headers: Record<string, string>,
    meanwhile: () => void,
  ) {
    const { hostname, port } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const ended = new Promise((resolve) => socket.on('close', resolve))
    const lines = Object.entries({ connection: 'close', host: 'x', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    const head = [`POST ${path} HTTP/1.1`, ...lines, `content-length: ${first.length + rest.length}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n${first}`)
    await waitUntil(async () => (authenticated > 0 ? true : null))
    await pause(20)
    meanwhile()
    socket.write(rest)
    await ended
    return { status: Number(answer.split(' ')[1]), body: answer.split('\r\n\r\n')[1] ?? '' }
  }
  const revoke = () => {
    isValid = false
  }
  const nothing = () => undefined

  describe('while its upload arrives', () => {
    const headers = { authorization: 'Bearer t', 'content-type': 'multipart/form-data; boundary=b' }
    const parts: [string, string] = [BOUNDARY, 'hello\r\n--b--\r\n']

    it('is refused', async () => {
      expect((await send('/upload', parts, headers, revoke)).status).to.equal(401)
    })

    it('would be answered otherwise', async () => {
      const { status, body } = await send('/upload', parts, headers, nothing)
      expect(status).to.equal(200)
      expect(body).to.contain('hello')
    })
  })

  describe('while its body arrives', () => {
    const headers = { authorization: 'Bearer svc_live_k', 'content-type': 'application/json' }

    it('is refused, also within a second', async () => {
      expect((await send('/json', ['{', '}'], headers, revoke)).status).to.equal(401)
    })
  })

  describe('while it waits for a host', () => {
    const post = async (meanwhile: () => void, headers = {}) => {
      host = async () => {
        meanwhile()
        return 'answer'
      }
      const authorization = 'Bearer svc_live_k'
      return fetch(`${served.url}/waiting`, { method: 'POST', headers: { authorization, ...headers } })
    }

    it('is refused, signed or not', async () => {
      expect((await post(revoke)).status).to.equal(401)
      isValid = true
      expect((await post(revoke, SIGNED)).status).to.equal(401)
    })

    it('has to be sent again if its caller may do less', async () => {
      const lose = () => {
        writesFor = new Set()
      }
      const { status, headers } = await post(lose)
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1'])
    })

    it('would be answered otherwise', async () => {
      expect((await post(nothing)).status).to.equal(200)
      expect((await post(nothing, SIGNED)).status).to.equal(200)
    })
  })

  describe('while its signed body arrives', () => {
    const headers = { authorization: 'Bearer svc_live_k', 'content-type': 'application/json', ...SIGNED }

    it('is refused', async () => {
      expect((await send('/json', ['{', '}'], headers, revoke)).status).to.equal(401)
    })

    it('would be answered otherwise, as signed', async () => {
      const { status, body } = await send('/json', ['{', '}'], headers, nothing)
      expect(status).to.equal(200)
      expect(body).to.contain('0x01')
    })
  })
})
