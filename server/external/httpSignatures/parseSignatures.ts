import { type InnerList, type Item, isInnerList, parseDictionary } from 'structured-headers'

/** How many signatures of one request are considered. */
const SIGNATURES_MAX = 4

/** A signature in the terms of RFC 9421; times are Unix seconds. */
export type ParsedSignature = {
  label: string
  /** The components that are covered as a whole. */
  covered: readonly string[]
  /** Components and parameters in their original order. */
  input: InnerList
  signature: Uint8Array<ArrayBuffer>
  created: number
  expires: number
  /** JWK thumbprint of the signing key. */
  keyid: string
  alg: string | undefined
  nonce: string | undefined
  /** What the signature is for. */
  tag: string | undefined
}

/** What a verifier chooses signatures by. Parameters may be of any type, or absent. */
export type SignatureCriteria = {
  tag: unknown
  keyid: unknown
  /** The components that are covered as a whole. */
  covered: readonly string[]
}

type ParsedSignatures = {
  signatures: readonly ParsedSignature[]
  /** How many of those that were chosen lack a required parameter or their value, or are more than are considered. */
  unreadCount: number
}

/**
 * Parses the signatures of a request that a verifier chooses; all others are ignored.
 *
 * Returns `malformed` if a header cannot be parsed.
 *
 * Source: RFC 9421 §4; draft-ietf-webbotauth-httpsig-protocol "Generating HTTP Message Signature".
 */
export function parseSignatures(
  request: Pick<SignedRequest, 'signature' | 'signatureInput'>,
  isFor: (input: SignatureCriteria) => boolean,
): ParsedSignatures | 'malformed' {
  try {
    const values = parseDictionary(request.signature)
    const inputs = parseDictionary(request.signatureInput)
    const chosen = [...inputs].filter(([, input]) => isFor(describeInput(input)))
    const signatures = chosen
      .slice(0, SIGNATURES_MAX)
      .flatMap(([label, input]) => readSignature(label, input, values.get(label)) ?? [])
    return { signatures, unreadCount: chosen.length - signatures.length }
  } catch {
    return 'malformed'
  }
}

function describeInput(input: Item | InnerList): SignatureCriteria {
  const [, parameters] = input
  const covered = isInnerList(input) ? listCovered(input) : []
  return { tag: parameters.get('tag'), keyid: parameters.get('keyid'), covered }
}

function listCovered([components]: InnerList): string[] {
  return components.flatMap(([name, parameters]) =>
    typeof name === 'string' && parameters.size === 0 ? [name] : [],
  )
}

function readSignature(
  label: string,
  input: Item | InnerList,
  value: Item | InnerList | undefined,
): ParsedSignature | undefined {
  if (value === undefined || isInnerList(value) || !isInnerList(input)) return undefined
  const [bytes, parameters] = [value[0], input[1]]
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  const [keyid, alg, nonce] = [parameters.get('keyid'), parameters.get('alg'), parameters.get('nonce')]
  const tag = parameters.get('tag')
  if (!(bytes instanceof ArrayBuffer) || typeof keyid !== 'string') return undefined
  if (!Number.isInteger(created) || !Number.isInteger(expires)) return undefined
  if (!isTextOrAbsent(alg) || !isTextOrAbsent(nonce) || !isTextOrAbsent(tag)) return undefined
  const signature = new Uint8Array(bytes)
  const times = { created: Number(created), expires: Number(expires) }
  return { label, covered: listCovered(input), input, signature, ...times, keyid, alg, nonce, tag }
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** The parts of a request that its signature may cover, as the counterparty received them. */
export type SignedRequest = {
  signature: string
  signatureInput: string
  method: string | undefined
  targetUri: string | undefined
  /** The required `@authority`: host of the endpoint, with its port unless it is the default of the scheme. */
  authority: string
  /** Known header fields by lower-case name, including `signature-agent`. */
  fields: Readonly<Record<string, string | undefined>>
}
