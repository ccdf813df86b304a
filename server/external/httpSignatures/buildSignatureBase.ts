import { deriveComponent } from '@svc/core/signing/deriveComponent.ts'
import { type InnerList, type Item, serializeInnerList, serializeItem } from 'structured-headers'
import type { SignedRequest } from './parseSignatures.ts'

/** The signed text, or why it cannot be built. */
export type SignatureBase =
  | { ok: true; text: string }
  | { ok: false; reason: 'malformed' | 'unknown_component' }

type Covered = Pick<SignedRequest, 'authority' | 'method' | 'targetUri' | 'fields'> & {
  /** The member of `Signature-Agent` that can be covered individually. */
  agentMember?: { key: string; value: string } | undefined
}

/**
 * Builds the signature base of a request.
 *
 * Components that the counterparty did not report cannot be checked, which is not the signer's fault: `unknown_component`.
 *
 * Source: RFC 9421 §2.5, §2.2.
 */
export function buildSignatureBase(input: InnerList, covered: Covered): SignatureBase {
  const lines: string[] = []
  const identifiers = new Set<string>()
  for (const component of input[0]) {
    const identifier = serializeItem(component)
    if (typeof component[0] !== 'string' || identifiers.has(identifier))
      return { ok: false, reason: 'malformed' }
    identifiers.add(identifier)
    const value = readComponent(component, component[0], covered)
    if (value === undefined) return { ok: false, reason: 'unknown_component' }
    if (/[\r\n]/.test(value)) return { ok: false, reason: 'malformed' }
    lines.push(`${identifier}: ${value}`)
  }
  lines.push(`"@signature-params": ${serializeInnerList(input)}`)
  return { ok: true, text: lines.join('\n') }
}

function readComponent([, parameters]: Item, name: string, covered: Covered): string | undefined {
  if (name === 'signature-agent' && parameters.size === 1 && parameters.has('key')) {
    return parameters.get('key') === covered.agentMember?.key ? covered.agentMember?.value : undefined
  }
  if (parameters.size > 0) return undefined
  // The signer chooses the name, which may be `constructor`.
  if (!name.startsWith('@'))
    return Object.hasOwn(covered.fields, name) ? covered.fields[name]?.trim() : undefined
  return deriveComponent(name, covered)
}
