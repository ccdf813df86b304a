import { expect } from 'chai'
import { readConfig } from '../../server/config.ts'
import { settingMeantBy } from '../../server/settingMeantBy.ts'
import { SETTINGS } from '../../server/settings.ts'

describe('a name one edit away from a setting', () => {
  for (const [name, meant] of [
    ['CONFIRMATION', 'CONFIRMATIONS'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['ALLOW_PRIVATE_NETWORKS', 'ALLOW_PRIVATE_NETWORK'],
    ['WORKER', 'WORKERS'],
    ['SMTP_URI', 'SMTP_URL'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['SECRET_KEY_FILE', 'SECRETS_KEY_FILE'],
  ] as const) {
    it(`prevents the start: ${name}`, () => {
      expect(() => readConfig({ [name]: 'x' })).to.throw(`Setting ${name} is not known; is ${meant} meant?`)
    })
  }

  it('excludes names of other programs, and other settings', () => {
    for (const name of ['HOME', 'PATH', 'API_URL', 'RPC_URI', 'POST', 'HOSTS', 'HOSTNAME', 'LOGNAME', ''])
      expect(settingMeantBy(name), name).to.equal(null)
    for (const name of Object.keys(SETTINGS)) expect(settingMeantBy(name), name).to.equal(null)
  })
})
