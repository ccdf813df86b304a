import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive; its text is produced when it is written. */
export type ZippedFile = { name: string; text(): AsyncIterable<string> }

/** How many bytes of the archive may wait for the reader, plus one piece of text. */
const CHUNK_BYTES = 256 * 1024

/**
 * Writes a zip archive of texts in UTF-8, piece by piece: neither a file nor the archive is ever complete in memory.
 *
 * @param writtenAt The time that the archive states for its files, in epoch milliseconds.
 */
export async function* zipFiles(files: Iterable<ZippedFile>, writtenAt: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let failure: Error | null = null
  const zip = new Zip((error, bytes) => {
    failure ??= error
    waiting.push(bytes)
    waitingBytes += bytes.length
  })
  const take = (): Uint8Array => {
    if (failure !== null) throw failure
    const chunk = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    return chunk
  }
  for (const { name, text } of files) {
    const file = new ZipDeflate(name)
    file.mtime = writtenAt
    zip.add(file)
    for await (const piece of text()) {
      file.push(encoder.encode(piece))
      if (waitingBytes >= CHUNK_BYTES) yield take()
    }
    file.push(new Uint8Array(), true)
  }
  zip.end()
  yield take()
}
