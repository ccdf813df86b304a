import type { AttributeTypeAndValue, GeneralName, Name } from '@peculiar/asn1-x509'

/**
 * A name in a certificate; `ip` is an address, or in a constraint a network such as `10.0.0.0/8`, `directory` is a
 * distinguished name, and `other` is of a form that is not compared.
 */
export type CertificateName =
  | { form: 'dns' | 'email' | 'url' | 'ip'; text: string }
  | { form: 'directory'; parts: readonly string[] }
  | { form: 'other' }

const COMMON_NAME = '2.5.4.3'
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/**
 * Reads every name of a certificate: its subject, the e-mail addresses in it, and its alternative names.
 *
 * A common name that is a host name counts as one, unless there are other host names. Source: RFC 5280 §4.1.2.6, §4.2.1.6,
 * §4.2.1.10.
 */
export function readNames(subject: Name, alternatives: readonly GeneralName[]): CertificateName[] {
  const attributes = subject.flat()
  const named = alternatives.map(readGeneralName)
  const textsOf = (wanted: string) =>
    attributes.flatMap(({ type, value }) => (type === wanted ? [value.toString()] : []))
  const hosts = named.some(({ form }) => form === 'dns')
    ? []
    : textsOf(COMMON_NAME).filter((text) => /^[^\s.@]+(\.[^\s.@]+)+$/.test(text))
  return [
    ...(attributes.length === 0 ? [] : [{ form: 'directory' as const, parts: attributes.map(partOf) }]),
    ...textsOf(EMAIL_ADDRESS).map((text) => ({ form: 'email' as const, text })),
    ...hosts.map((text) => ({ form: 'dns' as const, text })),
    ...named,
  ]
}

/** Reads a GeneralName. Source: RFC 5280 §4.2.1.6. */
export function readGeneralName(name: GeneralName): CertificateName {
  const { rfc822Name, dNSName, uniformResourceIdentifier, iPAddress, directoryName } = name
  if (rfc822Name !== undefined) return { form: 'email', text: rfc822Name }
  if (dNSName !== undefined) return { form: 'dns', text: dNSName }
  if (uniformResourceIdentifier !== undefined) return { form: 'url', text: uniformResourceIdentifier }
  if (iPAddress !== undefined) return { form: 'ip', text: iPAddress }
  if (directoryName !== undefined) return { form: 'directory', parts: directoryName.flat().map(partOf) }
  return { form: 'other' }
}

/** Texts are compared without regard to case and to repeated spaces. Source: RFC 5280 §7.1. */
function partOf({ type, value }: AttributeTypeAndValue): string {
  return `${type}=${value.toString().normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()}`
}
