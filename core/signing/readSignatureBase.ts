import { parseUrl } from '../url/url.ts'
import { type PlainSignature, parsePlainSignature } from './parsePlainSignature.ts'

/** The line that ends the text. Source: RFC 9421 §2.5. */
const PARAMETERS = '\n"@signature-params": '

/**
 * Reads a signed text again, with the host for which it was signed and its signature in base64; undefined for what
 * `buildSignatureBase` would not have written for a signature in the usual spelling.
 *
 * Source: RFC 9421 §2.5.
 */
export function readSignatureBase(
  base: string,
  signature: string,
): (PlainSignature & { authority: string }) | undefined {
  const at = base.lastIndexOf(PARAMETERS)
  if (at === -1) return undefined
  const params = base.slice(at + PARAMETERS.length)
  const signed = parsePlainSignature(`sig=:${signature}:`, `sig=${params}`)
  const lines = base.slice(0, at).split('\n')
  if (signed === undefined || lines.length !== signed.components.length) return undefined
  const values = new Map<string, string>()
  for (const [nth, name] of signed.components.entries()) {
    const start = `"${name}": `
    const line = lines[nth] ?? ''
    if (!line.startsWith(start)) return undefined
    values.set(name, line.slice(start.length))
  }
  const authority = values.get('@authority') ?? parseUrl(values.get('@target-uri') ?? '')?.host
  return authority === undefined ? undefined : { ...signed, authority }
}
