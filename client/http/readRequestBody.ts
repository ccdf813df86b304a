/**
 * Reads the body of a Node request, keeping at most `bytesMax` in memory. A longer body is still drained, so that the
 * sender gets its response.
 *
 * @returns undefined if the body is longer.
 * @throws Whatever interrupted the request.
 */
export async function readRequestBody(
  req: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size <= bytesMax) chunks.push(chunk)
  }
  return size <= bytesMax ? Buffer.concat(chunks) : undefined
}
