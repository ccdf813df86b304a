import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive; its text is produced when it is written. */
export type ZippedFile = { name: string; text(): AsyncIterable<string> }

/** How many bytes of the archive may wait for the reader, plus one piece of text. */
const CHUNK_BYTES = 256 * 1024
/** The largest size that a zip archive can state without extensions, which not every program reads. */
const BYTES_MAX = 0xffff_ffff

/**
 * Writes a zip archive of texts in UTF-8, piece by piece: neither a file nor the archive is ever complete in memory.
 *
 * @param writtenAt The time that the archive states for its files, in epoch milliseconds.
 * @throws Error if the texts are larger than 4 GiB together.
 */
export async function* zipFiles(files: Iterable<ZippedFile>, writtenAt: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let textBytes = 0
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
      const bytes = encoder.encode(piece)
      textBytes += bytes.length
      if (textBytes > BYTES_MAX) throw new Error('the texts are too large for a zip archive')
      file.push(bytes)
      if (waitingBytes >= CHUNK_BYTES) yield take()
    }
    file.push(new Uint8Array(), true)
  }
  zip.end()
  yield take()
}
