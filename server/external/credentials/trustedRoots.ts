import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** The trusted authorities that have a name. */
export type TrustedRoots = (subject: string) => readonly X509Certificate[]

const SETTING = 'Setting CREDENTIAL_ROOTS_FILE'

/**
 * The authorities that certificates have to lead to: those of a PEM file, which is read at once, else those that come with
 * Node (Mozilla's), which are many and read at their first use.
 *
 * @throws Error with a sentence for the operator when the file cannot be read, or holds no certificate or a broken one.
 */
export function createTrustedRoots(file: string | undefined): TrustedRoots {
  let roots = file === undefined ? null : rootsOf(file)
  return (subject) => {
    roots ??= rootCertificates.map((pem) => new X509Certificate(pem))
    return roots.filter((root) => root.subject === subject)
  }
}

function rootsOf(file: string): X509Certificate[] {
  const roots = pemsOf(file).map((pem) => {
    try {
      return new X509Certificate(pem)
    } catch (cause) {
      throw new Error(`${SETTING}: a certificate in ${file} cannot be read`, { cause })
    }
  })
  if (roots.length === 0) throw new Error(`${SETTING}: there is no certificate in ${file}`)
  return roots
}

function pemsOf(file: string): readonly string[] {
  try {
    return (
      readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    )
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`${SETTING}: ${file} cannot be read (${code})`, { cause })
  }
}
