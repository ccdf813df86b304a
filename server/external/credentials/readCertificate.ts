import { X509Certificate } from 'node:crypto'
import { allowsNames } from './allowsNames.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './parseProofToken.ts'
import { type CertificateExtensions, readExtensions } from './readExtensions.ts'
import { checkValidity } from './readValidity.ts'
import type { TrustedRoots } from './trustedRoots.ts'
import type { VerifiedCredential } from './verifiedCredential.ts'
import { verifyKeyProof } from './verifyKeyProof.ts'

type Certificate = { x509: X509Certificate; extensions: CertificateExtensions }

/** Certificates in a chain: the leaf and its authorities, without the root. */
const CHAIN_MAX = 5

const SIGNATURES = new Set([
  'sha256withrsaencryption',
  'sha384withrsaencryption',
  'sha512withrsaencryption',
  'ecdsa-with-sha256',
  'ecdsa-with-sha384',
  'ecdsa-with-sha512',
  'ed25519',
])

/**
 * Supported critical extensions: key usage, alternative names, basic constraints, name constraints, policies, extended key
 * usage.
 */
const UNDERSTOOD = new Set(['2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.30', '2.5.29.32', '2.5.29.37'])

/**
 * Verifies an X.509 certificate: its chain to a trusted root, its dates, and the proof by its key, which must be for
 * signatures if the certificate names usages.
 *
 * Revocation is not checked, because that would wait for a server of the issuer.
 *
 * @param value PEM, the certificate first and its authorities after it, or one certificate as base64 of its DER.
 * @throws CredentialFault. Source: RFC 5280 §6.1, without policies; §4.2.1.3.
 */
export async function readCertificate(
  roots: TrustedRoots,
  value: string,
  claim: HolderClaim,
): Promise<VerifiedCredential> {
  const [leaf, ...authorities] = readCertificates(value)
  if (leaf === undefined) throw new CredentialFault('malformed')
  const { x509 } = leaf
  const validity = { validFrom: x509.validFromDate.getTime(), expiresAt: x509.validToDate.getTime() }
  checkValidity(validity, claim.now)
  if (x509.ca || !isTrusted(roots, leaf, authorities, claim.now)) throw new CredentialFault('untrusted')
  if (!leaf.extensions.maySign) throw new CredentialFault('wrong_usage')
  const algorithm = await verifyKeyProof([x509.publicKey], claim)
  const oneLine = (name: string) => name.replaceAll('\n', ', ')
  return {
    claim: `${x509.issuer}\n${x509.serialNumber}`,
    subject: oneLine(x509.subject),
    issuer: oneLine(x509.issuer),
    algorithm,
    ...validity,
  }
}

function readCertificates(value: string): Certificate[] {
  const blocks = value.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  const texts = blocks ?? [value]
  if (texts.length > CHAIN_MAX) throw new CredentialFault('malformed')
  return texts.map((text) => {
    const base64 = text.replace(/-----[A-Z ]+-----|\s+/g, '')
    try {
      const der = Buffer.from(base64, 'base64')
      const x509 = new X509Certificate(der)
      // Only the canonical encoding is accepted, with nothing after the certificate.
      if (x509.raw.toString('base64') !== base64)
        throw new Error('the certificate is not in its canonical encoding')
      return { x509, extensions: readExtensions(x509.raw) }
    } catch (error) {
      throw new CredentialFault('malformed', error)
    }
  })
}

function isTrusted(
  roots: TrustedRoots,
  leaf: Certificate,
  authorities: readonly Certificate[],
  now: number,
): boolean {
  const path = [leaf]
  for (let current = leaf; path.length <= CHAIN_MAX; ) {
    if (!isAcceptable(current)) return false
    const child = current
    const signs = (authority: X509Certificate, extensions: CertificateExtensions) =>
      isAuthorityOf(authority, child, now) && allowsBelow(extensions, path)
    if (roots(child.x509.issuer).some((root) => signs(root, readExtensions(root.raw)))) return true
    const next = authorities.find((each) => signs(each.x509, each.extensions))
    if (next === undefined) return false
    path.push(next)
    current = next
  }
  return false
}

function isAcceptable({ x509, extensions }: Certificate): boolean {
  const algorithm = x509.signatureAlgorithm?.toLowerCase() ?? ''
  return SIGNATURES.has(algorithm) && extensions.critical.every((name) => UNDERSTOOD.has(name))
}

/** `checkIssued` compares names and key identifiers, and checks that the authority's key may sign certificates. */
function isAuthorityOf(authority: X509Certificate, { x509 }: Certificate, now: number): boolean {
  const isInTime = authority.validFromDate.getTime() <= now && now < authority.validToDate.getTime()
  return authority.ca && isInTime && x509.checkIssued(authority) && x509.verify(authority.publicKey)
}

/**
 * Whether an authority may have the certificates below it: so many authorities, and certificates with such names.
 *
 * @param below The leaf, and the authorities between it and this one. Name constraints apply whether critical or not.
 */
function allowsBelow(
  { pathLength, nameConstraints }: CertificateExtensions,
  below: readonly Certificate[],
): boolean {
  if (pathLength !== undefined && below.length - 1 > pathLength) return false
  return (
    nameConstraints === null ||
    below.every(({ extensions }) => allowsNames(nameConstraints, extensions.names))
  )
}
