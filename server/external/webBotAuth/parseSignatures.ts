import { type InnerList, isInnerList, parseDictionary } from 'structured-headers'
import type { SignedRequest } from './signedRequest.ts'

/** Most signatures of one request that are looked at. */
const SIGNATURES_MAX = 4

/** One signature with the tag `web-bot-auth`, in the terms of RFC 9421. Times are seconds. */
export type BotSignature = {
  label: string
  /** Components and parameters in their order. */
  input: InnerList
  signature: Buffer
  created: number
  expires: number
  /** JWK thumbprint of the signing key. */
  keyid: string
  alg: string | undefined
  nonce: string | undefined
}

/**
 * The signatures of a request that are made for Web Bot Auth and have every parameter they must have.
 *
 * A header that cannot be parsed has none. Source: RFC 9421 §4; draft-ietf-webbotauth-httpsig-protocol "Generating".
 */
export function parseSignatures(
  request: Pick<SignedRequest, 'signature' | 'signatureInput'>,
): BotSignature[] {
  try {
    const signatures = parseDictionary(request.signature)
    const found: BotSignature[] = []
    for (const [label, input] of parseDictionary(request.signatureInput)) {
      const value = signatures.get(label)
      if (value === undefined || isInnerList(value) || !isInnerList(input)) continue
      const parsed = signatureOf(label, input, value[0])
      if (parsed !== undefined && found.length < SIGNATURES_MAX) found.push(parsed)
    }
    return found
  } catch {
    return []
  }
}

function signatureOf(label: string, input: InnerList, value: unknown): BotSignature | undefined {
  const parameters = input[1]
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  const [keyid, alg, nonce] = [parameters.get('keyid'), parameters.get('alg'), parameters.get('nonce')]
  if (parameters.get('tag') !== 'web-bot-auth' || !(value instanceof ArrayBuffer)) return undefined
  if (!Number.isInteger(created) || !Number.isInteger(expires) || typeof keyid !== 'string') return undefined
  if (!isTextOrAbsent(alg) || !isTextOrAbsent(nonce)) return undefined
  const signature = Buffer.from(value)
  return { label, input, signature, created: Number(created), expires: Number(expires), keyid, alg, nonce }
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
