type RawRequest = AsyncIterable<Uint8Array> & { rawBody?: Uint8Array }
type RawResponse = { statusCode: number; end(): unknown }

const BYTES_MAX = 1024 * 1024

/**
 * Express middleware that keeps the unparsed body as `req.rawBody`, for `verifyWebhook`; a body of more than 1 MiB is
 * answered 413. It stands in the place of a JSON parser, which would leave nothing to hash.
 *
 * Source: Spec: Authentication 11 (the receiver must hash the raw, unparsed body).
 */
export function rawBody() {
  return async (req: RawRequest, res: RawResponse, next: (error?: unknown) => unknown): Promise<void> => {
    const chunks: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of req) {
        size += chunk.length
        if (size <= BYTES_MAX) chunks.push(chunk)
      }
    } catch (error) {
      next(error)
      return
    }
    if (size > BYTES_MAX) {
      res.statusCode = 413
      res.end()
      return
    }
    req.rawBody = Buffer.concat(chunks)
    next()
  }
}
