type SignedRequest = {
  readonly method: string
  /** Path of the request target, from the first slash, without its query. */
  readonly path: string
  /** Unix seconds, as in the header `X-Svc-Timestamp`. */
  readonly timestamp: string | number
  readonly nonce: string
  /** SHA-256 of the raw body, possibly empty, as 64 lower-case hexadecimal digits. */
  readonly bodySha256Hex: string
  /** The service that it is for, as in the header `X-Svc-Service`; undefined for the first form, which names none. */
  readonly service?: string | undefined
}

/** The first line of each form. One that names no service can be sent to another service as well. */
export const SIGNED_REQUEST_FORMS = {
  withService: 'SVC-SIGNED-REQUEST-V2',
  withoutService: 'SVC-SIGNED-REQUEST-V1',
} as const

/**
 * Builds the text that an owner's key signs (EIP-191) to register an agent or to get its token.
 *
 * The client builds it from the request it sends, and the server from the request it receives. No part may contain a line
 * break, because two different requests could then have the same message.
 *
 * @throws Error when a part contains a line break, or the hash of the body is invalid.
 */
export function buildSignedRequestMessage(request: SignedRequest): string {
  const { method, path, timestamp, nonce, bodySha256Hex, service } = request
  if (!/^[0-9a-f]{64}$/.test(bodySha256Hex)) throw new Error('signed request: not a SHA-256 in hexadecimal')
  const lines = [method.toUpperCase(), path, `${timestamp}`, nonce, bodySha256Hex]
  if ([...lines, service ?? ''].some((line) => /[\r\n]/.test(line)))
    throw new Error('signed request: a part contains a line break')
  return (
    service === undefined
      ? [SIGNED_REQUEST_FORMS.withoutService, ...lines]
      : [SIGNED_REQUEST_FORMS.withService, service, ...lines]
  ).join('\n')
}

/** What a holder signs: the audience and the challenge issued for it. */
export type HolderStatement = {
  /** URL of the agent's credentials, so that a proof is valid only for this agent at this service. */
  audience: string
  /** The challenge. */
  nonce: string
}

/** The text that the holder of an Ethereum address signs (EIP-191); other keys sign a JWT with `aud` and `nonce`. */
export function writeHolderStatement({ audience, nonce }: HolderStatement): string {
  return `SVC-CREDENTIAL-V1\n${audience}\n${nonce}`
}
