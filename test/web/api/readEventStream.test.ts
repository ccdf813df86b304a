import { expect } from 'chai'
import fc from 'fast-check'
import { readEventStream, type StreamMessage } from '../../../web/src/api/readEventStream.ts'

/** Reads a stream that arrives in chunks. */
async function read(parts: readonly Uint8Array[]): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  for await (const message of readEventStream(body)) messages.push(message)
  return messages
}
const bytes = (text: string) => new TextEncoder().encode(text)
const readText = (text: string) => read([bytes(text)])

describe('readEventStream', () => {
  it('yields each message with its data and event id', async () => {
    expect(await readText('id: 7\nevent: a\ndata: {"x":1}\n\nid: 8\ndata: b\n\n')).to.deep.equal([
      { id: '7', data: '{"x":1}' },
      { id: '8', data: 'b' },
    ])
  })

  it('keeps the previous event id for a message without one', async () => {
    expect(await readText('id: 7\ndata: a\n\ndata: b\n\n')).to.deep.equal([
      { id: '7', data: 'a' },
      { id: '7', data: 'b' },
    ])
  })

  it('yields an id without data, but nothing for comments, retries or an incomplete message', async () => {
    expect(await readText('retry: 3000\n\nid: -1\n\n: alive\n\ndata: cut')).to.deep.equal([
      { id: '-1', data: null },
    ])
  })

  it('joins data lines and strips one leading space from each', async () => {
    expect(await readText('data:  a\ndata:b\ndata\n\n')).to.deep.equal([{ id: '', data: ' a\nb\n' }])
  })

  it('yields the same messages for every line ending and any chunk boundaries, even within a character', async () => {
    const lines = ['id: 1', 'data: “grüße”', '', ': alive', '', 'id: 2', 'data: 🦊', 'data: x', '', '']
    const expected = [
      { id: '1', data: '“grüße”' },
      { id: '2', data: '🦊\nx' },
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat({ max: 80 }), { maxLength: 12 }),
        async (ending, cuts) => {
          const all = bytes(lines.join(ending))
          const bounds = [0, ...cuts.filter((cut) => cut <= all.length).sort((a, b) => a - b), all.length]
          const parts = bounds.slice(1).map((to, at) => all.slice(bounds[at], to))
          // A final carriage return may be half of a line ending, so the reader waits for more input.
          const read_ = await read([...parts, bytes(ending === '\r' ? ':' : '')])
          expect(read_).to.deep.equal(expected)
        },
      ),
    )
  })
})
