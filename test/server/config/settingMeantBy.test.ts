import { SETTINGS as SETTINGS_OF_GATE } from '@svc/gate/settings/settingTable.ts'
import { expect } from 'chai'
import { settingMeantBy } from '../../../server/config/settingMeantBy.ts'
import { SETTINGS } from '../../../server/config/settings.ts'
import { readConfig } from '../../../server/config.ts'

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
    ['SVC_PORT', 'PORT'],
    ['SVC_DATA_DIR', 'DATA_DIR'],
  ] as const) {
    it(`prevents the start: ${name}`, () => {
      expect(() => readConfig({ [name]: 'x' })).to.throw(
        `Setting ${name} is not known; did you mean ${meant}?`,
      )
    })
  }

  it('excludes what the gate and the examples read, but no other name that begins with SVC_', () => {
    const variables = Object.values(SETTINGS_OF_GATE).map(({ variable }) => variable)
    const ofExamples = [
      'SVC_API_BASE_URL',
      'SVC_API_KEY',
      'SVC_SHOP_ID',
      'SVC_MCP_SERVER_ID',
      'SVC_AGENT_KEY_FILE',
    ]
    for (const name of [...variables, ...ofExamples, 'SVC_GATE_CONFIG']) {
      expect(() => readConfig({ [name]: 'x' }), name).not.to.throw()
    }
    for (const name of ['SVC_API', 'SVC_OPERATOR_MAIL', 'SVC_SHOP']) {
      expect(() => readConfig({ [name]: 'x' }), name).to.throw(`Setting ${name} is not known`)
    }
  })

  it('excludes names of other programs, and other settings', () => {
    for (const name of ['HOME', 'PATH', 'API_URL', 'RPC_URI', 'POST', 'HOSTS', 'HOSTNAME', 'LOGNAME', ''])
      expect(settingMeantBy(name), name).to.equal(null)
    for (const name of Object.keys(SETTINGS)) expect(settingMeantBy(name), name).to.equal(null)
  })
})
