import { deriveComponent } from '@svc/core/signing/deriveComponent.ts'
import type { PlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
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
 * Components that the counterparty did not report cannot be checked: `unknown_component`.
 *
 * Source: RFC 9421 §2.5, §2.2.
 */
export function buildSignatureBase(input: InnerList, covered: Covered): SignatureBase {
  const components = input[0].map((component): Component => {
    const [name] = component
    return [
      serializeItem(component),
      typeof name === 'string' ? readComponent(component, name, covered) : null,
    ]
  })
  return writeBase(components, serializeInnerList(input))
}

/** The same for a signature in the usual spelling, whose text is what was signed. */
export function buildPlainSignatureBase(
  { components, params }: Pick<PlainSignature, 'components' | 'params'>,
  covered: Covered,
): SignatureBase {
  return writeBase(
    components.map((name) => [`"${name}"`, readWhole(name, covered)]),
    params,
  )
}

/** A serialised identifier with its value: undefined if it is not known, null if the identifier is none. */
type Component = readonly [identifier: string, value: string | undefined | null]

function writeBase(components: readonly Component[], params: string): SignatureBase {
  const identifiers = new Set<string>()
  let text = ''
  for (const [identifier, value] of components) {
    if (value === null || identifiers.has(identifier)) return { ok: false, reason: 'malformed' }
    identifiers.add(identifier)
    if (value === undefined) return { ok: false, reason: 'unknown_component' }
    if (/[\r\n]/.test(value)) return { ok: false, reason: 'malformed' }
    text += `${identifier}: ${value}\n`
  }
  return { ok: true, text: `${text}"@signature-params": ${params}` }
}

function readComponent([, parameters]: Item, name: string, covered: Covered): string | undefined {
  if (name === 'signature-agent' && parameters.size === 1 && parameters.has('key')) {
    return parameters.get('key') === covered.agentMember?.key ? covered.agentMember?.value : undefined
  }
  return parameters.size > 0 ? undefined : readWhole(name, covered)
}

function readWhole(name: string, covered: Covered): string | undefined {
  if (name.startsWith('@')) return deriveComponent(name, covered)
  // The signer chooses the name, which may be `constructor`.
  return Object.hasOwn(covered.fields, name) ? covered.fields[name]?.trim() : undefined
}
