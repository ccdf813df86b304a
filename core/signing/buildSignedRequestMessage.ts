type SignedRequest = {
  readonly method: string
  /** Path of the request target, from the first slash, without its query. */
  readonly path: string
  /** Unix seconds, as the header `X-Svc-Timestamp` carries them. */
  readonly timestamp: string | number
  readonly nonce: string
  /** SHA-256 of the raw body, 64 lower-case hexadecimal digits; of an empty body that of no bytes. */
  readonly bodySha256Hex: string
}

/**
 * The text that an owner's key signs (EIP-191) to register an agent or to get its token.
 *
 * Client and server build it here, from what is sent and from what arrived. No part may hold a line break: two
 * different requests could have one message.
 *
 * @throws Error when a part holds a line break or the body's hash is none.
 *
 * Source: api.md "Signed request".
 */
export function buildSignedRequestMessage(request: SignedRequest): string {
  const { method, path, timestamp, nonce, bodySha256Hex } = request
  if (!/^[0-9a-f]{64}$/.test(bodySha256Hex)) throw new Error('signed request: not a SHA-256 in hexadecimal')
  const lines = [method.toUpperCase(), path, `${timestamp}`, nonce, bodySha256Hex]
  if (lines.some((line) => /[\r\n]/.test(line))) throw new Error('signed request: a part holds a line break')
  return ['SVC-SIGNED-REQUEST-V1', ...lines].join('\n')
}
