import { AsnConvert } from '@peculiar/asn1-schema'
import {
  BasicConstraints,
  Certificate,
  type GeneralSubtree,
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  NameConstraints,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509'
import type { PermittedNames } from './allowsNames.ts'
import { type CertificateName, readGeneralName, readNames } from './readNames.ts'

/** The parts of a certificate that a chain check needs and Node's own reader does not expose. */
export type CertificateExtensions = {
  /** Object identifiers of the critical extensions, dotted. */
  critical: string[]
  /** How many authorities may follow below this one; undefined when unlimited. */
  pathLength: number | undefined
  /** Whether its key may sign anything but certificates. */
  maySign: boolean
  names: CertificateName[]
  nameConstraints: PermittedNames | null
}

/** Enough for a certificate with hundreds of names. */
const LIMITS = { berOptions: { maxDepth: 32, maxNodes: 2_000 } }

/**
 * Reads the extensions and the names of a certificate.
 *
 * @param der A certificate that Node has already parsed. @throws Error when it or a known extension is malformed, or one
 * is repeated. Source: RFC 5280 §4.1, §4.2, §4.2.1.3, §4.2.1.9, §4.2.1.10.
 */
export function readExtensions(der: Uint8Array<ArrayBuffer>): CertificateExtensions {
  const { subject, extensions = [] } = AsnConvert.parse(der, Certificate, LIMITS).tbsCertificate
  const contentOf = (wanted: string) => {
    const [found, ...others] = extensions.filter(({ extnID }) => extnID === wanted)
    if (others.length > 0) throw new Error(`the extension ${wanted} is repeated`)
    return found?.extnValue.buffer
  }
  const read = <Content>(wanted: string, type: new () => Content): Content | undefined => {
    const content = contentOf(wanted)
    return content && AsnConvert.parse(content, type, LIMITS)
  }
  const usages = read(id_ce_keyUsage, KeyUsage)?.toNumber()
  const constraints = contentOf(id_ce_nameConstraints)
  return {
    critical: extensions.filter(({ critical }) => critical).map(({ extnID }) => extnID),
    pathLength: read(id_ce_basicConstraints, BasicConstraints)?.pathLenConstraint,
    maySign: usages === undefined || (usages & KeyUsageFlags.digitalSignature) !== 0,
    names: readNames(subject, read(id_ce_subjectAltName, SubjectAlternativeName) ?? []),
    nameConstraints: constraints === undefined ? null : readConstraints(constraints),
  }
}

/**
 * The library reads a mask with gaps as another one, so constraints that it would not write again as they are are refused.
 */
function readConstraints(content: ArrayBuffer): PermittedNames {
  const constraints = AsnConvert.parse(content, NameConstraints, LIMITS)
  if (!Buffer.from(AsnConvert.serialize(constraints)).equals(Buffer.from(content))) {
    throw new Error('the name constraints are not in their canonical encoding')
  }
  const { permittedSubtrees, excludedSubtrees } = constraints
  const basesOf = (subtrees: Iterable<GeneralSubtree> = []) =>
    [...subtrees].map(({ base }) => readGeneralName(base))
  return { permitted: basesOf(permittedSubtrees), excluded: basesOf(excludedSubtrees) }
}
