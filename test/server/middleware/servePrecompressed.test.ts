import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import express from 'express'
import { servePrecompressed } from '../../../server/middleware/servePrecompressed.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const SCRIPT = 'console.log("built")'

describe('precompressed', () => {
  const folder = createTemporaryFolder()
  let server: Awaited<ReturnType<typeof listen>>

  before(async () => {
    writeFileSync(join(folder.path, 'page-1a.js'), SCRIPT)
    writeFileSync(join(folder.path, 'page-1a.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(folder.path, 'page-1a.js.gz'), gzipSync(SCRIPT))
    writeFileSync(join(folder.path, 'bare.js'), SCRIPT)
    writeFileSync(join(folder.path, 'pages.json.gz'), gzipSync('[]'))
    const app = express()
    app.use(servePrecompressed(folder.path, { immutable: true, maxAge: '1y' }), express.static(folder.path))
    server = await listen(app)
  })
  after(async () => {
    await server?.stop()
    folder.remove()
  })

  /** `fetch` would decompress by itself. */
  function got(path: string, acceptEncoding?: string): Promise<{ answer: IncomingMessage; body: Buffer }> {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
    return new Promise((resolve, reject) => {
      get({ port: server.port, host: '127.0.0.1', path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => resolve({ answer, body: Buffer.concat(chunks) }))
      }).on('error', reject)
    })
  }

  it('sends Brotli to clients that accept it, with the original content type', async () => {
    const { answer, body } = await got('/page-1a.js', 'gzip, deflate, br')
    expect(answer.headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(answer.headers['content-type']).to.match(/^text\/javascript/)
    expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    expect(brotliDecompressSync(body).toString()).to.equal(SCRIPT)
  })

  it('sends gzip to clients that accept only gzip or reject Brotli', async () => {
    for (const accepted of ['gzip', 'br;q=0, gzip']) {
      const { answer, body } = await got('/page-1a.js', accepted)
      expect(answer.headers['content-encoding']).to.equal('gzip')
      expect(gunzipSync(body).toString()).to.equal(SCRIPT)
    }
  })

  it('sends data as what it is', async () => {
    const { answer, body } = await got('/pages.json', 'gzip')
    expect(answer.headers['content-type']).to.match(/^application\/json/)
    expect(gunzipSync(body).toString()).to.equal('[]')
  })

  it('sends the file itself to clients that accept neither, or if there is no compressed form', async () => {
    for (const [path, accepted] of [
      ['/page-1a.js', undefined],
      ['/page-1a.js', 'identity'],
      ['/bare.js', 'br, gzip'],
    ] as const) {
      const { answer, body } = await got(path, accepted)
      expect(answer.headers['content-encoding']).to.equal(undefined)
      expect(answer.headers.vary).to.equal('Accept-Encoding')
      expect(body.toString()).to.equal(SCRIPT)
    }
  })

  it('serves no file outside its folder', async () => {
    for (const path of ['/../precompressed.test.js', '/%2e%2e/x.js', '/..%2fx.js']) {
      expect((await got(path, 'br')).answer.statusCode).to.be.within(400, 404)
    }
  })
})
