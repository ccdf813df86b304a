import { type DerValue, readDer } from './readDer.ts'

/** A name in a certificate; `directory` is a distinguished name, and `other` is of a form that is not compared. */
export type CertificateName =
  | { form: 'dns' | 'email' | 'url'; text: string }
  | { form: 'ip'; bytes: Uint8Array }
  | { form: 'directory'; parts: readonly string[] }
  | { form: 'other' }

const COMMON_NAME = '550403'
const EMAIL_ADDRESS = '2a864886f70d010901'

/**
 * Reads every name of a certificate: its subject, the e-mail addresses in it, and its alternative names.
 *
 * A common name that is a host name counts as one, unless there are other host names.
 *
 * @param der The certificate. @param alternatives The content of its extension. @throws Error when either is malformed.
 * Source: RFC 5280 §4.1.2.6, §4.2.1.6, §4.2.1.10.
 */
export function readNames(der: Uint8Array, alternatives: Uint8Array | null): CertificateName[] {
  const attributes = readSubject(der)
  const named = alternatives === null ? [] : childrenOf(readDer(alternatives)[0]).map(readGeneralName)
  const emails = attributes.filter(({ type }) => type === EMAIL_ADDRESS)
  const hosts = named.some(({ form }) => form === 'dns')
    ? []
    : attributes.filter(({ type, text }) => type === COMMON_NAME && /^[^\s.@]+(\.[^\s.@]+)+$/.test(text))
  return [
    ...(attributes.length === 0 ? [] : [{ form: 'directory' as const, parts: attributes.map(partOf) }]),
    ...emails.map(({ text }) => ({ form: 'email' as const, text })),
    ...hosts.map(({ text }) => ({ form: 'dns' as const, text })),
    ...named,
  ]
}

/** Reads a GeneralName. Source: RFC 5280 §4.2.1.6. */
export function readGeneralName({ tag, content }: DerValue): CertificateName {
  switch (tag) {
    case 0x81:
      return { form: 'email', text: decodeText(content) }
    case 0x82:
      return { form: 'dns', text: decodeText(content) }
    case 0x86:
      return { form: 'url', text: decodeText(content) }
    case 0x87:
      return { form: 'ip', bytes: content }
    case 0xa4:
      return { form: 'directory', parts: childrenOf(readDer(content)[0]).flatMap(attributesOf).map(partOf) }
    default:
      return { form: 'other' }
  }
}

/** One attribute of a distinguished name: the hexadecimal digits of its type, and its text. */
type Attribute = { type: string; text: string }

/** The subject follows the serial number, the algorithm, the issuer and the dates. Source: RFC 5280 §4.1. */
function readSubject(der: Uint8Array): Attribute[] {
  const [body] = childrenOf(readDer(der)[0])
  const fields = childrenOf(body).filter(({ tag }) => tag !== 0xa0)
  return childrenOf(fields[4]).flatMap(attributesOf)
}

function attributesOf(relativeName: DerValue): Attribute[] {
  return childrenOf(relativeName).map((attribute) => {
    const [type, value] = childrenOf(attribute)
    if (type === undefined || value === undefined) throw new Error('an attribute has no value')
    return { type: Buffer.from(type.content).toString('hex'), text: decodeValue(value) }
  })
}

/** Texts are compared without regard to case and to repeated spaces. Source: RFC 5280 §7.1. */
function partOf({ type, text }: Attribute): string {
  return `${type}=${text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()}`
}

function decodeValue({ tag, content }: DerValue): string {
  const isUtf16 = tag === 0x1e && content.length % 2 === 0
  return isUtf16 ? Buffer.from(content).swap16().toString('utf16le') : decodeText(content)
}

function decodeText(content: Uint8Array): string {
  return Buffer.from(content).toString('utf8')
}

function childrenOf(value: DerValue | undefined): DerValue[] {
  if (value === undefined) throw new Error('a certificate lacks a part')
  return readDer(value.content)
}
