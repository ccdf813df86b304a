import type { Readable } from 'node:stream'

/** Reads a stream to its end; undefined if it is longer than `bytesMax`, and then the rest is left unread. */
export async function readBody(stream: Readable, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving a loop over the stream would destroy it, and with it the connection on which the refusal is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
