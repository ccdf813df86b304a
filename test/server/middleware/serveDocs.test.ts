import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

describe('the documentation', () => {
  const folder = createTemporaryFolder()
  let served: Served

  before(async () => {
    for (const name of ['assets/chunks', 'decisions']) mkdirSync(join(folder.path, name), { recursive: true })
    const write = (name: string, text: string | Buffer) => writeFileSync(join(folder.path, name), text)
    write('index.html', 'first page')
    write('errors.html', 'errors')
    write('errors.html.gz', gzipSync('errors'))
    write('decisions/index.html', 'decisions')
    write('404.html', 'no such page')
    write('assets/chunks/part.1a.js', 'part')
    served = await serveRoutes([], { docsRoot: folder.path })
  })
  after(async () => {
    await served?.stop()
    folder.remove()
  })

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${served.url}${path}`, { headers, redirect: 'manual' })

  it('has an address without an extension for each page, and without a file name for each folder', async () => {
    for (const [path, text] of [
      ['/docs/', 'first page'],
      ['/docs/errors', 'errors'],
      ['/docs/decisions/', 'decisions'],
      ['/docs/errors?q=1', 'errors'],
    ] as const) {
      const response = await get(path)
      expect([response.status, await response.text()], path).to.deep.equal([200, text])
      expect(response.headers.get('content-type'), path).to.equal('text/html; charset=utf-8')
    }
  })

  it('adds the slash that its relative addresses need', async () => {
    const response = await get('/docs')
    expect([response.status, response.headers.get('location')]).to.deep.equal([308, '/docs/'])
  })

  it('responds to unknown pages with its own page and status 404', async () => {
    for (const path of ['/docs/nothing', '/docs/decisions/nothing', '/docs/..%2fpackage.json']) {
      const response = await get(path)
      expect([response.status, await response.text()], path).to.deep.equal([404, 'no such page'])
    }
  })

  it('sends pages compressed and only if they have changed, and lets browsers keep what never changes', async () => {
    const page = await get('/docs/errors', { 'accept-encoding': 'gzip' })
    expect(page.headers.get('content-encoding')).to.equal('gzip')
    expect(page.headers.get('cache-control')).to.equal('public, max-age=0')
    const etag = page.headers.get('etag') ?? ''
    const again = await get('/docs/errors', {
      'accept-encoding': 'gzip',
      'if-none-match': etag,
      'cache-control': 'max-age=0',
    })
    expect([etag.length > 0, again.status]).to.deep.equal([true, 304])
    const part = await get('/docs/assets/chunks/part.1a.js')
    expect(part.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
  })

  it('has the Content-Security-Policy of every page', async () => {
    const policy = (await get('/docs/errors')).headers.get('content-security-policy')
    expect(policy).to.include(`script-src 'self';`).and.include(`connect-src 'self'`)
  })

  it('is missing, like any unknown path, if it was not built', async () => {
    const without = await serveRoutes([])
    const response = await fetch(`${without.url}/docs/errors`)
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      404,
      'NOT_FOUND',
    ])
    await without.stop()
  })
})
