import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** Returns the trusted root certificates with a subject. */
export type TrustedRoots = (subject: string) => readonly X509Certificate[]

const SETTING = 'Setting CREDENTIAL_ROOTS_FILE'

/**
 * Reads the root certificates that chains must end at: those of a PEM file, otherwise those bundled with Node (Mozilla's),
 * which are parsed at first use because there are many.
 *
 * @throws Error for the operator when the file cannot be read, contains no certificate, or contains an invalid one.
 */
export function createTrustedRoots(file: string | undefined): TrustedRoots {
  let roots = file === undefined ? null : readRoots(file)
  return (subject) => {
    roots ??= rootCertificates.map((pem) => new X509Certificate(pem))
    return roots.filter((root) => root.subject === subject)
  }
}

function readRoots(file: string): X509Certificate[] {
  const roots = readPems(file).map((pem) => {
    try {
      return new X509Certificate(pem)
    } catch (cause) {
      throw new Error(`${SETTING}: a certificate in ${file} is invalid`, { cause })
    }
  })
  if (roots.length === 0) throw new Error(`${SETTING}: ${file} contains no certificate`)
  return roots
}

function readPems(file: string): readonly string[] {
  try {
    return (
      readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    )
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`${SETTING}: ${file} cannot be read (${code})`, { cause })
  }
}
