import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { listen } from '../harness/peers/listen.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { openGate } from './openGate.ts'

const NAMED = { 'x-svc-id': `SVC-${'A'.repeat(22)}` }
const FORGED = { 'X-Svc-Access-Level': 'admin', 'X-Forwarded-Uri': '/public', 'X-Forwarded-Method': 'GET' }

/** The proxies, and how each is run in the foreground with a configuration. */
const PROXIES: Record<
  string,
  { example: string; run: (file: string, folder: string) => [string, string[]] }
> = {
  nginx: {
    example: 'nginx.conf',
    run: (file, folder) => [
      'nginx',
      ['-p', folder, '-e', 'stderr', '-c', file, '-g', `daemon off; pid ${folder}/pid;`],
    ],
  },
  Caddy: {
    example: 'Caddyfile',
    run: (file) => ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]],
  },
}

for (const [name, { example, run }] of Object.entries(PROXIES)) {
  describe(`${name}, asking svc-gate as its example is configured`, function () {
    this.timeout(60_000)
    const folder = createTemporaryFolder()
    let opened: Awaited<ReturnType<typeof openGate>>
    let server: Awaited<ReturnType<typeof listen>>
    let proxy: ChildProcess
    let url = ''
    let seen: { url: string; level: unknown }[] = []

    before(async function () {
      // It is not installed.
      if (spawnSync(name.toLowerCase(), ['--help'], { stdio: 'ignore' }).error) this.skip()
      opened = await openGate(null)
      server = await listen((req, res) => {
        seen.push({ url: req.url ?? '', level: req.headers['x-svc-access-level'] })
        res.end('served')
      })
      const port = await findFreePort()
      url = `http://127.0.0.1:${port}`
      const file = join(folder.path, example)
      const text = readFileSync(new URL(`../../gate/examples/${example}`, import.meta.url), 'utf8')
      writeFileSync(
        file,
        text
          .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
          .replaceAll('127.0.0.1:8081', opened.url.replace('http://', ''))
          .replaceAll('127.0.0.1:8080', server.url.replace('http://', '')),
      )
      const [command, args] = run(file, folder.path)
      proxy = spawn(command, args, { stdio: 'ignore', env: { ...process.env, HOME: folder.path } })
      await Promise.race([
        once(proxy, 'spawn'),
        once(proxy, 'error').then(([error]) => Promise.reject(error)),
      ])
      while (!(await fetch(url).then(Boolean, () => false))) await pause(50)
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
      expect(seen).to.deep.equal([{ url: '/orders/7?x=1', level: 'full' }])
      expect(opened.asked[0]).to.include({ resource: '/orders/7' })
    })

    it('refuses what the registry denies, whatever the caller claims to be the request or the decision', async () => {
      const response = await fetch(`${url}/orders/7`, { headers: FORGED })
      expect(response.status).to.equal(403)
      expect(seen).to.deep.equal([])
      expect(opened.asked[0]).to.include({ resource: '/orders/7' })
      await fetch(`${url}/orders/7`, { headers: { ...FORGED, ...NAMED } })
      expect(seen).to.deep.equal([{ url: '/orders/7', level: 'full' }])
    })
  })
}
