// The decorators of @peculiar/x509 need this polyfill first.
import 'reflect-metadata'
import { BasicConstraintsExtension, X509Certificate } from '@peculiar/x509'

/** The parts of a certificate that a chain check needs and Node's own reader does not expose. */
export type CertificateExtensions = {
  /** Object identifiers of the critical extensions, dotted. */
  critical: string[]
  /** How many authorities may follow below this one; undefined when unlimited. */
  pathLength: number | undefined
}

/** Enough for a certificate with hundreds of names. */
const LIMITS = { berOptions: { maxDepth: 32, maxNodes: 2_000 } }

/**
 * Reads the extensions of a certificate.
 *
 * @param der A certificate that Node has already parsed. @throws Error when it or a known extension is malformed.
 * Source: RFC 5280 §4.1, §4.2.1.9.
 */
export function readExtensions(der: Uint8Array<ArrayBuffer>): CertificateExtensions {
  const certificate = new X509Certificate(der, LIMITS)
  return {
    critical: certificate.extensions.filter(({ critical }) => critical).map(({ type }) => type),
    pathLength: certificate.getExtension(BasicConstraintsExtension)?.pathLength,
  }
}
