import { createCipheriv, randomBytes } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { readSecretsKey } from '../../../../server/external/keys/readSecretsKey.ts'
import { createSecretBox, type SealContext } from '../../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../../server/external/keys/secretsKeys.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const ROW = 'row' as SealContext

describe('secretBox', () => {
  const key = randomBytes(32)
  const box = createSecretBox(createSecretsKeys(key))

  it('opens what it sealed, for the same row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, text) => {
        const context = text as SealContext
        expect(box.open(box.seal(secret, context), context)).to.equal(secret)
      }),
    )
  })

  it('seals the same secret differently each time', () => {
    expect(box.seal('secret', ROW)).not.to.equal(box.seal('secret', ROW))
  })

  it('does not open a secret that was changed, moved to another row or sealed with another key', () => {
    const sealed = box.seal('secret', ROW)
    const [version, id, text = ''] = sealed.split('.')
    const bytes = Buffer.from(text, 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => box.open(`${version}.${id}.${changed.toString('base64url')}`, ROW)).to.throw()
    }
    expect(() => box.open(`${version}.${id}.${bytes.subarray(0, -1).toString('base64url')}`, ROW)).to.throw()
    expect(() => box.open(`${version}.000000000000.${text}`, ROW)).to.throw('unknown key, 000000000000')
    expect(() => box.open('', ROW)).to.throw()
    expect(() => box.open(sealed, 'other' as SealContext)).to.throw()
    expect(() => createSecretBox(createSecretsKeys(randomBytes(32))).open(sealed, ROW)).to.throw()
  })

  it('opens secrets of a former key, which they name, and seals with the current one', () => {
    const rotated = createSecretBox(createSecretsKeys(randomBytes(32), randomBytes(32), key))
    const sealed = box.seal('secret', ROW)
    expect(rotated.open(sealed, ROW)).to.equal('secret')
    expect([box.isCurrent(sealed), rotated.isCurrent(sealed)]).to.deep.equal([true, false])
    expect(() => box.open(rotated.seal('new', ROW), ROW)).to.throw('unknown key')
  })

  it('tries every key on a secret of the first version, which names none', () => {
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12, 3)).setAAD(Buffer.from(ROW))
    const bytes = [Buffer.alloc(12, 3), cipher.update('old', 'utf8'), cipher.final(), cipher.getAuthTag()]
    const sealed = `v1.${Buffer.concat(bytes).toString('base64url')}`
    const rotated = createSecretBox(createSecretsKeys(randomBytes(32), key))
    for (const each of [box, rotated]) {
      expect(each.open(sealed, ROW)).to.equal('old')
      expect(each.isCurrent(sealed)).to.equal(false)
    }
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
