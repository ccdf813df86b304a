// The decorators of @peculiar/x509 need this polyfill first.
import 'reflect-metadata'
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509Certificate } from '@peculiar/x509'
import { type NameConstraints, readNameConstraints } from './nameConstraints.ts'
import { type CertificateName, readNames } from './readNames.ts'

/** The parts of a certificate that a chain check needs and Node's own reader does not expose. */
export type CertificateExtensions = {
  /** Object identifiers of the critical extensions, dotted. */
  critical: string[]
  /** How many authorities may follow below this one; undefined when unlimited. */
  pathLength: number | undefined
  /** Whether its key may sign anything but certificates. */
  maySign: boolean
  names: CertificateName[]
  nameConstraints: NameConstraints | null
}

/** Enough for a certificate with hundreds of names. */
const LIMITS = { berOptions: { maxDepth: 32, maxNodes: 2_000 } }

const ALTERNATIVE_NAMES = '2.5.29.17'
const NAME_CONSTRAINTS = '2.5.29.30'

/**
 * Reads the extensions and the names of a certificate.
 *
 * @param der A certificate that Node has already parsed. @throws Error when it or a known extension is malformed.
 * Source: RFC 5280 §4.1, §4.2.1.3, §4.2.1.9, §4.2.1.10.
 */
export function readExtensions(der: Uint8Array<ArrayBuffer>): CertificateExtensions {
  const certificate = new X509Certificate(der, LIMITS)
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages
  const contentOf = (type: string) => {
    const extension = certificate.getExtension(type)
    return extension === null ? null : new Uint8Array(extension.value)
  }
  const constraints = contentOf(NAME_CONSTRAINTS)
  return {
    critical: certificate.extensions.filter(({ critical }) => critical).map(({ type }) => type),
    pathLength: certificate.getExtension(BasicConstraintsExtension)?.pathLength,
    maySign: usages === undefined || (usages & KeyUsageFlags.digitalSignature) !== 0,
    names: readNames(der, contentOf(ALTERNATIVE_NAMES)),
    nameConstraints: constraints === null ? null : readNameConstraints(constraints),
  }
}
