import { isInnerList, parseDictionary } from 'structured-headers'
import { buildSignatureBase } from '../../../server/external/httpSignatures/buildSignatureBase.ts'
import { readSigningKey } from '../../../server/external/httpSignatures/readSigningKey.ts'

/** A request as its receiver has it. */
export type ReceivedRequest = {
  method: string
  /** Absolute. */
  url: string
  headers: Readonly<Record<string, string | undefined>>
}

/**
 * Reads the signature of a request with the parsers of the service, which share no code for it with the client.
 *
 * @throws Error if the request has no signature of this label, or if its signed text cannot be built.
 */
export function readSignedRequest({ method, url, headers }: ReceivedRequest, label = 'svc') {
  const input = parseDictionary(headers['signature-input'] ?? '').get(label)
  const value = parseDictionary(headers.signature ?? '').get(label)
  if (input === undefined || !isInnerList(input) || value === undefined) throw new Error('no such signature')
  const base = buildSignatureBase(input, {
    ...{ authority: new URL(url).host, method, targetUri: url, fields: headers },
  })
  if (!base.ok) throw new Error(base.reason)
  const signature = Buffer.from(value[0] as ArrayBuffer)
  return {
    base: base.text,
    signature,
    components: input[0].map(([name]) => String(name)),
    parameters: Object.fromEntries(input[1]),
    /** Whether a key, given as a JWK, made the signature and is the one that it names. */
    async isSignedBy(jwk: object): Promise<boolean> {
      const key = await readSigningKey({ ...jwk })
      const alg = input[1].get('alg')
      const isOfKey = await key?.verifies(base.text, signature, typeof alg === 'string' ? alg : undefined)
      return isOfKey === true && key?.keyid === input[1].get('keyid')
    },
  }
}
