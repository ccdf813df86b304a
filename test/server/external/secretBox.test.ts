import { randomBytes } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { readSecretsKey } from '../../../server/external/readSecretsKey.ts'
import { createSecretBox } from '../../../server/external/secretBox.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('secretBox', () => {
  const box = createSecretBox(randomBytes(32))

  it('opens what it sealed, for the same row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        expect(box.open(box.seal(secret, context), context)).to.equal(secret)
      }),
    )
  })

  it('seals the same secret differently each time', () => {
    expect(box.seal('secret', 'row')).not.to.equal(box.seal('secret', 'row'))
  })

  it('does not open a secret that was changed, moved to another row or sealed with another key', () => {
    const sealed = box.seal('secret', 'row')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => box.open(`v1.${changed.toString('base64url')}`, 'row')).to.throw()
    }
    expect(() => box.open(`v1.${bytes.subarray(0, -1).toString('base64url')}`, 'row')).to.throw()
    expect(() => box.open('', 'row')).to.throw()
    expect(() => box.open(sealed, 'other')).to.throw()
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'row')).to.throw()
  })
})

describe('readSecretsKey', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  it('uses the configured key and writes nothing', () => {
    const key = randomBytes(32)
    const file = join(folder.path, 'unused')
    expect(Buffer.from(readSecretsKey(key.toString('base64'), file))).to.deep.equal(key)
    expect(existsSync(file)).to.equal(false)
  })

  it('generates a key once, readable only by its owner', () => {
    const file = join(folder.path, 'new', 'secrets-key')
    const key = readSecretsKey(undefined, file)
    expect(key.length).to.equal(32)
    expect(readSecretsKey(undefined, file)).to.deep.equal(key)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('refuses a file with other contents instead of generating a new key', () => {
    const file = join(folder.path, 'damaged')
    writeFileSync(file, 'c2hvcnQ=\n')
    expect(() => readSecretsKey(undefined, file)).to.throw('does not contain a key')
  })
})
