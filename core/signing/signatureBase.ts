import { type DerivableRequest, deriveComponent } from './deriveComponent.ts'
import { writeInteger, writeString } from './structuredField.ts'

/** A covered component: a derived one such as `@method`, a header by its lower-case name, or one member of a header. */
export type SignatureComponent = {
  name: string
  /** The member of a Dictionary that is covered instead of the whole header, serialised. Source: RFC 9421 §2.1.2. */
  member?: { key: string; value: string } | undefined
}

/** Parameters of a signature, in the order in which they are written. Times are Unix seconds. */
export type SignatureParameters = {
  created: number
  expires?: number | undefined
  nonce?: string | undefined
  keyid: string
  alg?: string | undefined
  tag?: string | undefined
}

/** A request to sign: what its components are read from. */
export type RequestToCover = DerivableRequest & {
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
}

/**
 * Builds the value of `@signature-params`, which is also the value of the member of `Signature-Input`.
 *
 * @throws Error for a value that a structured field cannot have, or a component that is covered twice.
 * Source: RFC 9421 §2.3, §4.1.
 */
export function buildSignatureParams(
  components: readonly SignatureComponent[],
  parameters: SignatureParameters,
): string {
  const identifiers = components.map(writeIdentifier)
  if (new Set(identifiers).size < identifiers.length)
    throw new Error('signature: a component is covered twice')
  const { created, expires, nonce, keyid, alg, tag } = parameters
  const written = [
    `;created=${writeInteger(created)}`,
    expires === undefined ? '' : `;expires=${writeInteger(expires)}`,
    ...Object.entries({ nonce, keyid, alg, tag }).map(([name, value]) =>
      value === undefined ? '' : `;${name}=${writeString(value)}`,
    ),
  ]
  return `(${identifiers.join(' ')})${written.join('')}`
}

/**
 * Builds the text that is signed.
 *
 * @param signatureParams From `buildSignatureParams`, or as received. Its components must be those given.
 * @throws Error for a component that the request does not have, or whose value contains a line break: the text would then be
 *   that of other components.
 * Source: RFC 9421 §2.5.
 */
export function buildSignatureBase(
  components: readonly SignatureComponent[],
  signatureParams: string,
  request: RequestToCover,
): string {
  let base = ''
  for (const component of components) {
    const value = readComponent(component, request)
    if (value === undefined) throw new Error(`signature: the request has no ${component.name}`)
    if (/[\r\n]/.test(value)) throw new Error(`signature: ${component.name} contains a line break`)
    base += `${writeIdentifier(component)}: ${value}\n`
  }
  return `${base}"@signature-params": ${signatureParams}`
}

function writeIdentifier({ name, member }: SignatureComponent): string {
  return member === undefined ? writeString(name) : `${writeString(name)};key=${writeString(member.key)}`
}

function readComponent({ name, member }: SignatureComponent, request: RequestToCover): string | undefined {
  if (member !== undefined) return member.value
  if (name.startsWith('@')) return deriveComponent(name, request)
  return Object.hasOwn(request.headers, name) ? request.headers[name]?.trim() : undefined
}
