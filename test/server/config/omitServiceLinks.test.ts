import { expect } from 'chai'
import { omitServiceLinks } from '../../../server/config/omitServiceLinks.ts'
import { readConfig } from '../../../server/config.ts'
import { serviceLinksOf } from '../../harness/values/serviceLinksOf.ts'

describe('the variables of the Services in a namespace', () => {
  const settings = { PORT: '3001', PUBLIC_URL: 'https://registry.example' }

  for (const service of [
    'svc-registry',
    'audit',
    'relayer',
    'platform-api',
    'witness',
    'database-url',
    'sign-in',
  ]) {
    it(`are left out: ${service}`, () => {
      const links = serviceLinksOf(service, [
        ['http', 80],
        ['metrics-v2', 9090],
      ])
      expect(omitServiceLinks({ ...settings, ...links })).to.deep.equal(settings)
      expect(readConfig({ ...settings, ...links })).to.deep.equal(readConfig(settings))
    })
  }

  it('do not hide a setting of the same name', () => {
    const links = serviceLinksOf('chain', [['rpc', 8545]])
    expect(links.CHAIN_PORT).to.equal('tcp://10.96.0.1:8545')
    expect(readConfig(links).chain.port).to.equal(8545)
    expect(readConfig({ ...links, CHAIN_PORT: '8600' }).chain.port).to.equal(8600)
  })

  for (const misspelt of [
    { SVC_PORT: '3000' },
    { SVC_SERVICE_PORT: '3000' },
    { SVC_SERVICE_HOST: '10.96.0.1' },
    { SVC_SERVICE_HOST: '10.96.0.1', SVC_SERVICE_PORT: 'http' },
    { ...serviceLinksOf('svc', [['http', 80]]), SVC_PORT: '3000' },
    { ...serviceLinksOf('svc', [['http', 80]]), SVC_OPERATOR_MAIL: 'one@acme.io' },
  ]) {
    it(`do not hide a misspelt setting: ${Object.keys(misspelt).at(-1)} of ${Object.keys(misspelt).length}`, () => {
      expect(() => readConfig(misspelt)).to.throw(/^Setting SVC_\w+ is not known/)
    })
  }
})
