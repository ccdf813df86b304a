/** What a chain is checked by beside signatures and dates. */
export type CertificateExtensions = {
  /** Object identifiers of the critical ones, their content in hexadecimal digits. */
  critical: string[]
  /** Authorities that may still follow below this one; undefined when it sets no bound. */
  pathLength: number | undefined
}

type Element = { tag: number; content: Buffer; end: number }

const BOOLEAN = 0x01
const INTEGER = 0x02
/** `[3]`, explicit. */
const EXTENSIONS = 0xa3
/** 2.5.29.19 */
const BASIC_CONSTRAINTS = '551d13'

/**
 * Reads the extensions of a certificate.
 *
 * @param der A certificate that Node has read already. @throws Error where it is not built as one.
 * Source: RFC 5280 §4.1, §4.2.1.9; X.690 §8.1.
 */
export function certificateExtensions(der: Buffer): CertificateExtensions {
  const [certificate] = elementsOf(der)
  const [body] = elementsOf(certificate?.content)
  const wrapped = elementsOf(body?.content).find(({ tag }) => tag === EXTENSIONS)
  const [list] = elementsOf(wrapped?.content)
  const extensions = elementsOf(list?.content).map(({ content }) => {
    const [name, ...rest] = elementsOf(content)
    const isCritical = rest[0]?.tag === BOOLEAN && rest[0].content[0] !== 0
    return { name: name?.content.toString('hex') ?? '', isCritical, value: rest.at(-1)?.content }
  })
  const constraints = extensions.find(({ name }) => name === BASIC_CONSTRAINTS)
  return {
    critical: extensions.filter(({ isCritical }) => isCritical).map(({ name }) => name),
    pathLength: constraints && pathLengthOf(constraints.value),
  }
}

function pathLengthOf(value: Buffer | undefined): number | undefined {
  const [constraints] = elementsOf(value)
  const length = elementsOf(constraints?.content).find(({ tag }) => tag === INTEGER)
  return length === undefined ? undefined : Number.parseInt(length.content.toString('hex'), 16)
}

function elementsOf(bytes: Buffer | undefined): Element[] {
  const elements: Element[] = []
  if (bytes === undefined) return elements
  for (let at = 0; at < bytes.length; at = elements.at(-1)?.end ?? bytes.length) {
    elements.push(elementAt(bytes, at))
  }
  return elements
}

function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes.readUInt8(at)
  const first = bytes.readUInt8(at + 1)
  const digits = first < 0x80 ? 0 : first & 0x7f
  // No certificate that is taken is as long as four bytes of length can say, and an open length is not DER.
  if (digits > 3 || first === 0x80) throw new Error('a length that is not of a certificate')
  const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits)
  const start = at + 2 + digits
  if (start + length > bytes.length) throw new Error('a value that ends after its certificate')
  return { tag, content: bytes.subarray(start, start + length), end: start + length }
}
