import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { build } from 'esbuild'
import { generatePrivateKey } from 'viem/accounts'
import { stringify } from 'yaml'
import { openBrowser, openPage } from '../../browser/support/openBrowser.ts'
import { createOrganisation, registerEndpoint } from '../../builders/participants.ts'
import { loadPolicyCases } from '../../cases/loadPolicyCases.ts'
import { toLocalCase } from '../../cases/toLocalCase.ts'
import { listen } from '../../harness/peers/listen.ts'
import { findNode } from '../../harness/runner/findNode.ts'
import { startService } from '../../harness/service/startService.ts'
import { type ClientProject, installClient } from './installClient.ts'
import { runAtTheEdge } from './runAtTheEdge.ts'
import { runInEveryRuntime } from './runInEveryRuntime.ts'

/** Globals of the Minimum Common Web API, which runtimes other than Node have. None is Node's, and none compiles code. */
const WEB_GLOBALS = {
  ...{ fetch, Request, Response, Headers, ReadableStream, URLSearchParams, console },
  ...{ crypto, TextEncoder, TextDecoder, AbortSignal, AbortController, Event, EventTarget, Blob, FormData },
  ...{ setTimeout, clearTimeout, queueMicrotask, structuredClone, atob, btoa },
  // Some runtimes lack `URL.parse`.
  URL: Object.assign(class extends URL {}, { parse: undefined }),
}
const POLICY_OF_PAGE = "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:9"

/** A program, exported by the file of the same name. */
type Program = typeof runInEveryRuntime

describe('the client library outside Node', () => {
  let project: ClientProject
  let site: Awaited<ReturnType<typeof listen>>
  let bundled: string
  let task: string
  let expected: unknown

  before(async function () {
    this.timeout(240_000)
    project = await installClient()
    bundled = await bundle(runInEveryRuntime, 'iife')
    site = await listen((req, res) => {
      if (req.url?.startsWith('/echo')) {
        req.setEncoding('utf8')
        let body = ''
        req.on('data', (chunk) => (body += chunk))
        const presented = Object.entries(req.headers).filter(([name]) => /^x-svc-|^content-/.test(name))
        req.on('end', () => res.end(JSON.stringify({ presented: presented.sort(), body })))
        return
      }
      const isScript = req.url === '/bundle.js'
      const type = isScript ? 'text/javascript' : 'text/html'
      res.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY_OF_PAGE })
      res.end(isScript ? bundled : '<!doctype html><title>agent</title><script src="/bundle.js"></script>')
    })
    const cases = loadPolicyCases().map((one) => {
      const { policy, request, facts } = toLocalCase(one)
      return { policy, policyText: stringify(policy), request, now: one.now, facts }
    })
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    task = JSON.stringify({ cases, echoUrl: `${site.url}/echo`, key: generatePrivateKey(), jwk })
    expected = JSON.parse(await runInEveryRuntime(task))
  })
  after(async () => {
    await site?.stop()
    project?.remove()
  })

  /** Bundles a program, as its author would, with the library installed in the project. */
  async function bundle({ name }: Program, format: 'iife' | 'esm'): Promise<string> {
    const { outputFiles } = await build({
      stdin: {
        contents: readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8'),
        resolveDir: project.path,
        loader: 'ts',
      },
      ...{ bundle: true, write: false, platform: 'browser', target: 'es2022', format, globalName: 'program' },
      ...(format === 'esm' ? { packages: 'external' as const } : {}),
    })
    return outputFiles[0]?.text ?? ''
  }

  /** Runs a bundle with only web-standard globals. */
  function atEdge(text: string, { name }: Program, input: string): Promise<string> {
    const context = createContext(
      { ...WEB_GLOBALS, input },
      { codeGeneration: { strings: false, wasm: false } },
    )
    runInContext(text, context)
    return runInContext(`program.${name}(input)`, context)
  }

  it('decides the whole corpus and presents an agent in a browser as in Node', async function () {
    const browser = await openBrowser(this)
    try {
      const complaints: string[] = []
      const page = await openPage(browser, complaints)
      await page.goto(site.url)
      const answer = await page.evaluate(`program.runInEveryRuntime(${JSON.stringify(task)})`)
      expect(JSON.parse(String(answer))).to.deep.equal(expected)
      expect(complaints).to.deep.equal([])
    } finally {
      await browser.close()
    }
  }).timeout(240_000)

  it('does so in an edge runtime', async () => {
    expect(JSON.parse(await atEdge(bundled, runInEveryRuntime, task))).to.deep.equal(expected)
  })

  it('does so in Node 20 if it is installed', async function () {
    const old = findNode(20)
    if (old === null) return this.skip()
    const program = `${await bundle(runInEveryRuntime, 'esm')}
import { readFileSync } from 'node:fs'
console.log(await runInEveryRuntime(readFileSync(0, 'utf8')))`
    writeFileSync(join(project.path, 'everywhere.mjs'), program)
    const options = { cwd: project.path, maxBuffer: 1e8, timeout: 30_000 }
    const running = promisify(execFile)(old, ['everywhere.mjs'], options)
    running.child.stdin?.end(task)
    expect(JSON.parse((await running).stdout)).to.deep.equal(expected)
    return undefined
  })

  it('guards a shop and registers the visiting agent in an edge runtime', async () => {
    const service = await startService()
    try {
      const { apiKey } = await createOrganisation(service.baseUrl)
      const counterpartyId = await registerEndpoint(service.baseUrl, apiKey)
      const apiBaseUrl = `${service.baseUrl}/api`
      const options = { apiBaseUrl, apiKey, counterpartyId, setPassThroughHeader: true }
      const input = JSON.stringify({ key: generatePrivateKey(), options })
      const done = JSON.parse(await atEdge(await bundle(runAtTheEdge, 'iife'), runAtTheEdge, input))
      expect(done.svcId).to.match(/^SVC-/)
      expect(done.expiresIn).to.equal(900)
      expect(done.visited).to.deep.equal([
        { status: 200, verified: true, recommendation: 'grant', level: 'standard' },
        { status: 403, recommendation: 'deny', code: 'access_denied' },
        { status: 403, recommendation: 'deny', code: 'access_denied' },
      ])
      expect(done.handled).to.deep.equal(['https://shop.io/orders'])
    } finally {
      await service.stop()
    }
  })
})
