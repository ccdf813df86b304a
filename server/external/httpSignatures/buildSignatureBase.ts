import { deriveComponent, isDerivedComponent } from '@svc/core/signing/deriveComponent.ts'
import type { PlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
import { type InnerList, type Item, serializeInnerList, serializeItem } from 'structured-headers'
import type { SignedRequest } from './parseSignatures.ts'
import { readFieldMember, readQueryParam } from './readComponentPart.ts'

/** The signed text, or why it cannot be built. */
export type SignatureBase =
  | { ok: true; text: string }
  | { ok: false; reason: 'malformed' | 'unknown_component' | 'unsupported_component' }

type Covered = Pick<SignedRequest, 'authority' | 'method' | 'targetUri' | 'fields'>

/** A header name as a component has it. Source: RFC 9421 §2.1; RFC 9110 §5.6.2. */
const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

/**
 * Builds the signature base of a request.
 *
 * Components that the counterparty did not report cannot be checked: `unknown_component`. Those that nothing it reports
 * could ever give are `unsupported_component`: of a response, of the other forms of a header (`sf`, `bs`, `tr`), misspelt,
 * or parts that the request does not have.
 *
 * Source: RFC 9421 §2.5, §2.1.2, §2.2.
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

/**
 * A serialised identifier with its value: undefined if it is not known, false if there can be none, null if the identifier
 * is none.
 */
type Component = readonly [identifier: string, value: Value | null]

type Value = string | undefined | false

function writeBase(components: readonly Component[], params: string): SignatureBase {
  // Only the signer can correct this, so it takes precedence over what was not reported.
  if (components.some(([, value]) => value === false)) return { ok: false, reason: 'unsupported_component' }
  const identifiers = new Set<string>()
  let text = ''
  for (const [identifier, value] of components) {
    if (value === null || value === false || identifiers.has(identifier)) {
      return { ok: false, reason: 'malformed' }
    }
    identifiers.add(identifier)
    if (value === undefined) return { ok: false, reason: 'unknown_component' }
    if (/[\r\n]/.test(value)) return { ok: false, reason: 'malformed' }
    text += `${identifier}: ${value}\n`
  }
  return { ok: true, text: `${text}"@signature-params": ${params}` }
}

function readComponent([, parameters]: Item, name: string, covered: Covered): Value {
  if (parameters.size === 0) return readWhole(name, covered)
  if (parameters.size > 1) return false
  if (name === '@query-param') return readQueryParam(covered.targetUri, parameters.get('name'))
  const key = parameters.get('key')
  if (name.startsWith('@') || typeof key !== 'string') return false
  const field = readWhole(name, covered)
  return typeof field === 'string' ? readFieldMember(field, key) : field
}

function readWhole(name: string, covered: Covered): Value {
  if (name.startsWith('@'))
    return deriveComponent(name, covered) ?? (isDerivedComponent(name) ? undefined : false)
  // The signer chooses the name, which may be `constructor`.
  const value = Object.hasOwn(covered.fields, name) ? covered.fields[name]?.trim() : undefined
  return value ?? (FIELD_NAME.test(name) ? undefined : false)
}
