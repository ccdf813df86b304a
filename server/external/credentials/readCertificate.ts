import { X509Certificate } from 'node:crypto'
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

/** Supported critical extensions: key usage, alternative names, basic constraints, policies, extended key usage. */
const UNDERSTOOD = new Set(['2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.32', '2.5.29.37'])

/**
 * Verifies an X.509 certificate: its chain to a trusted root, its dates, and the proof by its key.
 *
 * Revocation is not checked, because that would wait for a server of the issuer.
 *
 * @param value PEM, the certificate first and its authorities after it, or one certificate as base64 of its DER.
 * @throws CredentialFault. Source: RFC 5280 §6.1, without policies and name constraints (critical ones are refused).
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
  let current = leaf
  for (let below = 0; below < CHAIN_MAX; below += 1) {
    const certificate = current
    if (!isAcceptable(certificate)) return false
    const { issuer } = certificate.x509
    const root = roots(issuer).find(
      (each) => isAuthorityOf(each, certificate, now) && allowsBelow(readExtensions(each.raw), below),
    )
    if (root !== undefined) return true
    const next = authorities.find(
      (each) => isAuthorityOf(each.x509, certificate, now) && allowsBelow(each.extensions, below),
    )
    if (next === undefined) return false
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

/** @param below Number of authorities between this one and the leaf. */
function allowsBelow({ pathLength }: CertificateExtensions, below: number): boolean {
  return pathLength === undefined || below <= pathLength
}
