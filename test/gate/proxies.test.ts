import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { exportPublicKey, generateAgentKey, signFetch } from '@svc/client'
import { expect } from 'chai'
import { GRANT, isVerifiable } from '../client/gateway/openFakeService.ts'
import { listen } from '../harness/peers/listen.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { openGate } from './openGate.ts'
import { AGENT, DENIAL, holdFor, type RegistryAnswer } from './openRegistry.ts'

const EXAMPLES = new URL('../../gate/examples/', import.meta.url)
const NAMED = { 'x-svc-id': AGENT }
const FORGED = {
  // As CGI and WSGI applications see them, these are the same headers.
  ...{ X_Svc_Access_Level: 'admin', 'X-Svc_Receipt': 'forged' },
  ...{ 'X-Svc-Access-Level': 'admin', 'X-Svc-Identity-Proof': 'forged', 'X-Svc-Receipt': 'forged' },
  ...{ 'X-Forwarded-Uri': '/public', 'X-Forwarded-Method': 'GET', 'X-Forwarded-Host': 'other.example' },
}

const UNPROVEN = { 'x-svc-access-level': 'full', 'x-svc-recommendation': 'grant' }
const DECISION = { ...UNPROVEN, 'x-svc-identity-proof': 'signature' }

const answer: RegistryAnswer = ({ agentId, resource }) => {
  if (agentId === undefined || resource === '/denied') return DENIAL
  if (resource === '/held') return holdFor('5f6c1f0e-7d0b-4d55-9f2e-0b1a8a1c9a11')
  if (resource === '/undecided') return { nonsense: true }
  return resource === '/named' ? { ...GRANT, identityProof: undefined } : GRANT
}

/** What must not reach the server: other methods and paths than the verified ones, and names that CGI takes for others. */
const UNWANTED = /_|^x-(http-method|method|original|rewrite)|^http2-settings$/
const OVERRIDING = [
  ...['X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL'],
  ...['X_HTTP_Method-Override', 'X_Original_URL', 'X_Svc_Id'],
]

/** Source: RFC 6455 §1.3. */
const WEBSOCKET = { key: 'dGhlIHNhbXBsZSBub25jZQ==', accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' }

/** The proxies: the configuration of each, how it runs in the foreground, and what it makes of a refusal. */
const PROXIES: Record<
  string,
  {
    example: string
    run: (file: string, folder: string) => [string, string[]]
    hidesReason?: true
    passesWebsockets?: true
    undecided: number
  }
> = {
  nginx: {
    example: 'nginx.conf',
    run: (file, folder) => [
      'nginx',
      ['-p', folder, '-e', 'stderr', '-c', file, '-g', `daemon off; pid ${folder}/pid;`],
    ],
    ...{ hidesReason: true, undecided: 500 },
  },
  Caddy: {
    example: 'Caddyfile',
    run: (file) => ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]],
    ...{ passesWebsockets: true, undecided: 503 },
  },
  HAProxy: {
    example: 'haproxy.cfg',
    run: (file) => ['/usr/sbin/haproxy', ['-f', file]],
    ...{ passesWebsockets: true, undecided: 503 },
  },
}

for (const [name, { example, run, hidesReason, passesWebsockets, undecided }] of Object.entries(PROXIES)) {
  describe(`${name}, asking svc-gate as its example is configured`, function () {
    this.timeout(60_000)
    const folder = createTemporaryFolder()
    const [command, args] = run(join(folder.path, example), folder.path)
    let opened: Awaited<ReturnType<typeof openGate>>
    let server: Awaited<ReturnType<typeof listen>>
    let proxy: ChildProcess
    let url = ''
    let seen: Record<string, unknown>[] = []

    before(async function () {
      // It is not installed.
      if (spawnSync(command, ['-h'], { stdio: 'ignore' }).error) this.skip()
      opened = await openGate(null, { answer })
      server = await listen((req, res) => {
        const decision = Object.entries(req.headers).filter(
          ([name, value]) => /^x.svc.(access|rec|ident)/.test(name) && value !== '',
        )
        const unwanted = Object.entries(req.headers).filter(
          ([name, value]) => UNWANTED.test(name) || (name === 'connection' && /svc/i.test(`${value}`)),
        )
        seen.push({ url: req.url, ...Object.fromEntries([...decision, ...unwanted]) })
        if (req.headers.upgrade === undefined) return void res.end('served')
        // Without a listener for them, Node serves requests for an upgrade as others.
        const accepted = { Upgrade: req.headers.upgrade, 'Sec-WebSocket-Accept': WEBSOCKET.accept }
        res.writeHead(101, { Connection: 'Upgrade', ...accepted }).end()
      })
      const port = await findFreePort()
      url = `http://127.0.0.1:${port}`
      for (const file of readdirSync(EXAMPLES)) {
        const text = readFileSync(new URL(file, EXAMPLES), 'utf8')
          .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
          .replaceAll('127.0.0.1:8081', opened.url.replace('http://', ''))
          .replaceAll('127.0.0.1:8080', server.url.replace('http://', ''))
          .replaceAll('/etc/haproxy', folder.path)
        writeFileSync(join(folder.path, file), text)
      }
      proxy = spawn(command, args, { stdio: 'ignore', env: { ...process.env, HOME: folder.path } })
      await once(proxy, 'spawn')
      await waitUntil(() => fetch(url).then(Boolean, () => null))
    })
    beforeEach(() => {
      seen = []
      opened.asked.length = 0
    })
    after(async () => {
      if (proxy?.exitCode === null && proxy.kill()) await once(proxy, 'exit')
      await Promise.all([opened?.stop(), server?.stop()])
      folder.remove()
    })

    it('passes what the registry grants, with the decision', async () => {
      const response = await fetch(`${url}/orders/7?x=1`, { method: 'POST', body: 'hello', headers: NAMED })
      expect([response.status, await response.text()]).to.deep.equal([200, 'served'])
      expect(seen).to.deep.equal([{ url: '/orders/7?x=1', ...DECISION }])
      expect(opened.asked[0]).to.include({ resource: '/orders/7' })
    })

    it('passes nothing that servers take for another method, path or agent', async () => {
      const headers = Object.fromEntries(OVERRIDING.map((one) => [one, 'DELETE']))
      const response = await fetch(`${url}/orders/7`, { method: 'POST', headers: { ...headers, ...NAMED } })
      expect(response.status).to.equal(200)
      expect(seen).to.deep.equal([{ url: '/orders/7', ...DECISION }])
    })

    const ask = async (...fields: string[]) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      const head = [
        'GET /a HTTP/1.1',
        `Host: ${new URL(url).host}`,
        `X-Svc-Id: ${AGENT}`,
        `Sec-WebSocket-Key: ${WEBSOCKET.key}`,
      ]
      socket.write([...head, ...fields, '', ''].join('\r\n'))
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return String(answer)
    }

    it('passes the decision also if the caller says that its headers end with the connection', async () => {
      const named = 'X-Svc-Access-Level, X-Svc-Recommendation, X-Svc-Identity-Proof'
      for (const connection of [named, `close, ${named}`, `Upgrade, ${named}\r\nUpgrade: websocket`]) {
        seen = []
        await ask(`Connection: ${connection}`)
        expect(seen, connection).to.deep.equal([{ url: '/a', ...DECISION }])
      }
    })

    it('offers the server no other protocol than websockets', async () => {
      for (const offer of [
        'h2c',
        'h2c, websocket',
        'h2c\r\nUpgrade: websocket',
        'websocket\r\nUpgrade: h2c',
      ]) {
        const answer = await ask(
          'Connection: Upgrade, HTTP2-Settings',
          `Upgrade: ${offer}`,
          'HTTP2-Settings: AAMAAABk',
        )
        expect(answer, offer).to.not.match(/^Upgrade: .*h2c/im)
        expect(seen.at(-1), offer).to.deep.equal({ url: '/a', ...DECISION })
      }
      const opened = await ask('Connection: Upgrade', 'Upgrade: websocket')
      expect(opened).to.match(
        passesWebsockets ? /^HTTP\/1.1 101 .*^Upgrade: websocket/ims : /^HTTP\/1.1 200 /,
      )
    })

    it('hands over what verifies the signature of a request', async () => {
      const key = await generateAgentKey()
      const response = await signFetch(key, { agentId: AGENT })(`${url}/orders/7?x=1`)
      expect(response.status).to.equal(200)
      const [asked] = opened.asked
      if (asked === undefined) throw new Error('nothing was asked')
      expect(await isVerifiable(asked, await exportPublicKey(key))).to.equal(true)
    })

    it('refuses what the registry denies, whatever the caller claims to be the request or the decision', async () => {
      const anonymous = await fetch(`${url}/orders/7`, { headers: FORGED })
      expect(anonymous.status).to.equal(403)
      expect(opened.asked[0]).to.include({ resource: '/orders/7' })
      expect(opened.asked[0]?.callerMetadata.host).to.equal(new URL(url).host)
      expect((await fetch(`${url}/denied`, { headers: { ...FORGED, ...NAMED } })).status).to.equal(403)
      expect(seen).to.deep.equal([])
      await fetch(`${url}/named`, { headers: { ...FORGED, ...NAMED } })
      expect(seen).to.deep.equal([{ url: '/named', ...UNPROVEN }])
    })

    it('refuses what the owner has to approve, and everything without a decision, and says why if it can', async () => {
      for (const [path, status] of [
        ['/held', 403],
        ['/undecided', undecided],
      ] as const) {
        const refused = await fetch(url + path, { headers: NAMED })
        expect(refused.status, path).to.equal(status)
        const text = await refused.text()
        if (!hidesReason) expect(JSON.parse(text), path).to.have.property('code')
      }
      expect(seen).to.deep.equal([])
    })
  })
}
