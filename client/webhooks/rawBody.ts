import { readRequestBody } from '../http/readRequestBody.ts'

/** The parts of a request that the middleware reads and sets. */
export type RawRequest = AsyncIterable<Uint8Array> & { rawBody?: Uint8Array | undefined }

/** The parts of a response that the middleware uses. */
export type RawResponse = { statusCode: number; end(): unknown }

const BYTES_MAX = 1024 * 1024

/**
 * Creates Express middleware that stores the unparsed body as `req.rawBody`, for `verifyWebhook`. It responds with 413 to a
 * body of more than 1 MiB. Use it instead of a JSON parser, which would leave nothing to hash.
 *
 * Source: Spec: Authentication 11 (the receiver must hash the raw, unparsed body).
 */
export function rawBody() {
  return async (req: RawRequest, res: RawResponse, next: (error?: unknown) => unknown): Promise<void> => {
    let body: Uint8Array | undefined
    try {
      body = await readRequestBody(req, BYTES_MAX)
    } catch (error) {
      next(error)
      return
    }
    if (body === undefined) {
      res.statusCode = 413
      res.end()
      return
    }
    req.rawBody = body
    next()
  }
}
