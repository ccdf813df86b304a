import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect } from 'chai'
import { createTrustedRoots } from '../../../../server/external/credentials/trustedRoots.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

describe('trusted roots', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())
  const fileOf = (text: string) => {
    const file = join(folder.path, 'roots.pem')
    writeFileSync(file, text)
    return file
  }
  const [first = '', second = ''] = rootCertificates

  it('are only those of the file', () => {
    const all = createTrustedRoots(undefined)
    const roots = createTrustedRoots(fileOf(`# of ours\n${first}\n${second}\n`))
    const named = [first, second].map((pem) => new X509Certificate(pem).subject)
    for (const subject of named) expect(roots(subject)).to.have.length(1)
    const other = new X509Certificate(rootCertificates.at(-1) ?? '').subject
    expect(all(other)).to.have.length(1)
    expect(roots(other)).to.deep.equal([])
  })

  it('prevent the start if their file is missing, or has no certificate or an invalid one', () => {
    const missing = join(folder.path, 'missing.pem')
    expect(() => createTrustedRoots(missing)).to.throw(
      `Setting CREDENTIAL_ROOTS_FILE: ${missing} cannot be read (ENOENT)`,
    )
    expect(() => createTrustedRoots(fileOf('nothing'))).to.throw('contains no certificate')
    expect(() => createTrustedRoots(fileOf(first.replace('MII', 'AAA')))).to.throw('is invalid')
  })
})
