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
 * Builds the text that an owner's key signs (EIP-191) to register an agent or to get its token.
 *
 * The client builds it from the request it sends, and the server from the request it receives. No part may contain a line
 * break, because two different requests could then have the same message.
 *
 * @throws Error when a part contains a line break, or the hash of the body is invalid.
 */
export function buildSignedRequestMessage(request: SignedRequest): string {
  const { method, path, timestamp, nonce, bodySha256Hex } = request
  if (!/^[0-9a-f]{64}$/.test(bodySha256Hex)) throw new Error('signed request: not a SHA-256 in hexadecimal')
  const lines = [method.toUpperCase(), path, `${timestamp}`, nonce, bodySha256Hex]
  if (lines.some((line) => /[\r\n]/.test(line))) throw new Error('signed request: a part holds a line break')
  return ['SVC-SIGNED-REQUEST-V1', ...lines].join('\n')
}

/** What a holder signs: whom it is for, and the challenge that was handed out for it. */
export type HolderStatement = {
  /** Address of the agent's credentials: a proof is good for this agent at this service alone. */
  audience: string
  /** The challenge. */
  nonce: string
}

/** The text that the holder of an Ethereum address signs (EIP-191); other keys sign a JWT with `aud` and `nonce`. */
export function writeHolderStatement({ audience, nonce }: HolderStatement): string {
  return `SVC-CREDENTIAL-V1\n${audience}\n${nonce}`
}
