import { type PlainSignature, parsePlainSignature } from '@svc/core/signing/parsePlainSignature.ts'

const INPUT = /^([a-z][a-z0-9_.-]*=)(\([^()]*\)(?:; *[A-Za-z]+=(?:\d{1,15}|"[^"\\]*"))+)$/
const PARAMETER = /; *([A-Za-z]+)=(\d{1,15}|"[^"\\]*")/g

/**
 * Parses the only signature of a request if it is spelt as by the sample of Visa's Trusted Agent Protocol: with spaces
 * before its parameters, and with `keyId`. Undefined for any other.
 *
 * The sample signs the text as it stands in the header, so that text is the value of `@signature-params`. A signature over
 * it says what the text says, and that can be read in one way only; RFC 9421 demands another text, without the spaces, and
 * structured fields know no `keyId`.
 *
 * Source: `tap-agent/agent_app.py` of visa/trusted-agent-protocol; RFC 9651 §3.1.2.
 */
export function parseSpacedSignature(signature: string, signatureInput: string): PlainSignature | undefined {
  const [, label, params] = INPUT.exec(signatureInput) ?? []
  if (label === undefined || params === undefined) return undefined
  const at = params.indexOf(')') + 1
  const written = params.slice(at).replace(PARAMETER, (_, name: string, value: string) => {
    return `;${name === 'keyId' ? 'keyid' : name}=${value}`
  })
  const plain = parsePlainSignature(signature, label + params.slice(0, at) + written)
  return plain && { ...plain, params }
}
