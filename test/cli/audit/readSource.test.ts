import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { expect } from 'chai'
import { readSource } from '../../../cli/audit/readSource.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const MEBIBYTE = 1_048_576

describe('readSource', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  /** Reads from a server, and returns the text, or why it was refused. */
  const readFrom = async (
    listener: RequestListener,
    kind: 'proof' | 'consistency' = 'proof',
    timeoutMs = 5_000,
  ) => {
    const server = await listen(listener)
    try {
      const read = readSource(`${server.url}/proof`, kind, timeoutMs)
      return await read.catch((error: Error) => error.message.replaceAll(server.url, 'SERVER'))
    } finally {
      await server.stop()
    }
  }

  it('reads a document up to the most bytes of its kind, from a URL and from a file', async () => {
    const file = join(folder.path, 'document')
    for (const [kind, bytesMax] of [
      ['proof', MEBIBYTE],
      ['consistency', 65_536],
    ] as const) {
      const text = 'a'.repeat(bytesMax)
      const tooLong = `is longer than ${bytesMax} bytes, the most of a document of this kind.`
      expect(await readFrom((_req, res) => res.end(text), kind)).to.equal(text)
      expect(await readFrom((_req, res) => res.end(`${text}a`), kind)).to.equal(`SERVER/proof ${tooLong}`)
      writeFileSync(file, text)
      expect(await readSource(file, kind)).to.equal(text)
      writeFileSync(file, `${text}a`)
      const refused = await readSource(file, kind).catch((error: Error) => error.message)
      expect(refused).to.equal(`${file} ${tooLong}`)
    }
  })

  it('reads no more of a short response that decompresses to a long one', async () => {
    let chunks = 0
    const answer = await readFrom((_req, res) => {
      res.setHeader('content-encoding', 'gzip')
      const zeros = Readable.from(endless(() => (chunks += 1)))
      zeros.pipe(createGzip()).pipe(res)
      res.on('close', () => zeros.destroy())
    })
    expect(answer).to.equal('SERVER/proof is longer than 1048576 bytes, the most of a document of this kind.')
    expect(chunks).to.be.below(1_000)
  })

  it('follows no redirection, not even to the same service', async () => {
    const answer = await readFrom((req, res) =>
      req.url === '/other' ? res.end('other') : res.writeHead(302, { location: '/other' }).end(),
    )
    expect(answer).to.equal(
      'SERVER/proof redirects to /other, which is not followed: name that address instead.',
    )
  })

  it('waits no longer than its time limit, also for a response that has begun', async () => {
    const slow = await readFrom((_req, res) => void res.write('a'), 'proof', 50)
    expect(slow).to.equal('The response of SERVER/proof broke off.')
    expect(await readFrom(() => undefined, 'proof', 50)).to.equal('No response from SERVER/proof.')
  })

  it('names the error of the service', async () => {
    const body = JSON.stringify({ success: false, code: 'NOT_ANCHORED_YET' }, null, 0)
    const answer = await readFrom((_req, res) => res.writeHead(404).end(body))
    expect(answer).to.equal('SERVER/proof returned 404 NOT_ANCHORED_YET.')
  })

  it('removes a byte order mark', async () => {
    const file = join(folder.path, 'marked')
    writeFileSync(file, '\ufeffa')
    expect(await readSource(file, 'proof')).to.equal('a')
  })
})

function* endless(count: () => void) {
  for (;;) {
    count()
    yield Buffer.alloc(MEBIBYTE)
  }
}
