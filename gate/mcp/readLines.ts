/**
 * Reads a stream line by line, without line breaks. A line that is longer than `bytesMax` is discarded, and yields null.
 *
 * Source: MCP 2025-11-25 "Transports", stdio.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      size += end - start
      yield size > bytesMax ? null : Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      size = 0
      start = end + 1
    }
    size += chunk.length - start
    if (size > bytesMax) parts = []
    else parts.push(chunk.subarray(start))
  }
}
