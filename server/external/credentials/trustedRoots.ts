import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** The trusted authorities that have a name. */
export type TrustedRoots = (subject: string) => readonly X509Certificate[]

/**
 * The authorities that certificates have to lead to: those of a PEM file, else those that come with Node (Mozilla's).
 *
 * They are read at their first use.
 */
export function createTrustedRoots(file: string | undefined): TrustedRoots {
  let roots: X509Certificate[] | null = null
  return (subject) => {
    roots ??= pemsOf(file).map((pem) => new X509Certificate(pem))
    return roots.filter((root) => root.subject === subject)
  }
}

function pemsOf(file: string | undefined): readonly string[] {
  if (file === undefined) return rootCertificates
  return readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
}
