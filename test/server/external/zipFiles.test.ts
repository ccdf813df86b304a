import { expect } from 'chai'
import { strFromU8, unzipSync } from 'fflate'
import { zipFiles } from '../../../server/external/zipFiles.ts'

describe('zipFiles', () => {
  const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> => {
    const all: Uint8Array[] = []
    for await (const chunk of chunks) all.push(chunk)
    return all
  }
  const WRITTEN_AT = Date.UTC(2026, 2, 14, 9, 30)

  it('writes files that any reader unpacks to the same text', async () => {
    const texts = { 'a.json': ['[1,', '2]'], 'ü.json': ['"ö"'], 'empty.json': [] }
    const chunks = await collect(
      zipFiles(
        Object.entries(texts).map(([name, pieces]) => ({
          name,
          async *text() {
            yield* pieces
          },
        })),
        WRITTEN_AT,
      ),
    )
    const unpacked = Object.entries(unzipSync(Buffer.concat(chunks)))
    expect(Object.fromEntries(unpacked.map(([name, bytes]) => [name, strFromU8(bytes)]))).to.deep.equal({
      'a.json': '[1,2]',
      'ü.json': '"ö"',
      'empty.json': '',
    })
  })

  it('holds no more than a piece and half a megabyte, however long a file is', async () => {
    let produced = 0
    let taken = 0
    let waitingMax = 0
    const file = {
      name: 'long.json',
      async *text() {
        for (let i = 0; i < 100; i += 1) {
          const piece = Buffer.from(crypto.getRandomValues(new Uint8Array(48 * 1024))).toString('base64')
          produced += piece.length * 0.75
          waitingMax = Math.max(waitingMax, produced - taken)
          yield piece
        }
      },
    }
    for await (const chunk of zipFiles([file], WRITTEN_AT)) taken += chunk.length
    expect(taken).to.be.greaterThan(4_000_000)
    expect(waitingMax).to.be.lessThan(600_000)
  })

  it('passes on the failure of a text', async () => {
    const file = {
      name: 'broken.json',
      // biome-ignore lint/correctness/useYield: it fails before its first piece
      async *text(): AsyncGenerator<string> {
        throw new Error('the database is gone')
      },
    }
    const failure = await collect(zipFiles([file], WRITTEN_AT)).then(
      () => null,
      (error: Error) => error.message,
    )
    expect(failure).to.equal('the database is gone')
  })
})
