import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSettingFiles } from '../../../server/config/readSettingFiles.ts'
import { SETTINGS } from '../../../server/config/settings.ts'
import { readConfig } from '../../../server/config.ts'

describe('the file of a setting', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-settings-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const fileOf = (text: string): string => {
    const file = join(folder, 'value')
    writeFileSync(file, text)
    return file
  }

  it('gives the value of every setting, and is no setting itself', () => {
    for (const name of Object.keys(SETTINGS)) {
      expect(readSettingFiles({ [`${name}_FILE`]: fileOf('value\n') }), name).to.deep.equal({
        [name]: 'value',
      })
    }
  })

  it('gives the value that the service is configured with', () => {
    expect(readConfig({ METRICS_TOKEN_FILE: fileOf('let-me-in\n') }).metricsToken).to.equal('let-me-in')
  })

  for (const [text, value] of [
    ['no line break', 'no line break'],
    ['one\n', 'one'],
    ['one of Windows\r\n', 'one of Windows'],
    [' two\n\n', ' two\n'],
  ] as const) {
    it(`loses one line break at its end: ${JSON.stringify(text)}`, () => {
      expect(readSettingFiles({ MAIL_FROM_FILE: fileOf(text) })).to.deep.equal({ MAIL_FROM: value })
    })
  }

  it('prevents the start if the setting itself is set as well', () => {
    const both = { METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: fileOf('a') }
    expect(() => readConfig(both)).to.throw('Settings METRICS_TOKEN and METRICS_TOKEN_FILE are both set')
  })

  it('prevents the start if it is missing, a folder or empty', () => {
    const read = (METRICS_TOKEN_FILE: string) => () => readConfig({ METRICS_TOKEN_FILE })
    expect(read(join(folder, 'none')))
      .to.throw('METRICS_TOKEN_FILE:')
      .with.property('message')
      .that.includes('(ENOENT)')
    expect(read(folder)).to.throw('METRICS_TOKEN_FILE:').with.property('message').that.includes('(EISDIR)')
    expect(read(fileOf('\n'))).to.throw(`METRICS_TOKEN_FILE: ${join(folder, 'value')} is empty`)
  })

  it('does not repeat a value that is invalid', () => {
    expect(() => readConfig({ SECRETS_KEY_FILE: fileOf('hunter2') }))
      .to.throw('Setting SECRETS_KEY_FILE: ')
      .with.property('message')
      .that.does.not.include('hunter2')
  })

  it('counts as not set if its variable is empty', () => {
    expect(readConfig({ METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: '' }).metricsToken).to.equal('a')
  })

  it('leaves settings that name a file themselves, and variables of other programs, as they are', () => {
    const environment = { PLATFORMS_FILE: '/p.json', CREDENTIAL_ROOTS_FILE: '/c.pem', ACME_FILE: '/a' }
    expect(readSettingFiles(environment)).to.deep.equal(environment)
  })

  it('is a misspelling if no setting has its name', () => {
    expect(() => readConfig({ SVC_OPERATOR_PASSPHRASE_FILE: '/p' })).to.throw('is not known')
  })
})
