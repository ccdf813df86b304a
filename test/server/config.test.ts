import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../server/config.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

describe('the settings of identity providers', () => {
  const google = { OIDC_GOOGLE_CLIENT_ID: 'id', OIDC_GOOGLE_CLIENT_SECRET: 'secret' }

  it('are none by default', () => {
    expect(readConfig({}).oidc).to.deep.equal({ google: null, microsoft: null })
  })

  it('use the public issuers by default', () => {
    const { oidc } = readConfig({
      ...google,
      OIDC_MICROSOFT_ISSUER: 'https://login.example/tenant/v2.0',
      OIDC_MICROSOFT_CLIENT_ID: 'id',
      OIDC_MICROSOFT_CLIENT_SECRET: 'secret',
    })
    expect(oidc.google?.issuer).to.equal('https://accounts.google.com')
    expect(oidc.microsoft?.issuer).to.equal('https://login.example/tenant/v2.0')
  })

  for (const [given, missing] of [
    [{ OIDC_GOOGLE_CLIENT_ID: 'id' }, 'OIDC_GOOGLE_CLIENT_SECRET'],
    [{ OIDC_GOOGLE_CLIENT_SECRET: 'secret' }, 'OIDC_GOOGLE_CLIENT_ID'],
    [{ OIDC_GOOGLE_ISSUER: 'https://accounts.example' }, 'OIDC_GOOGLE_CLIENT_ID'],
    [{ OIDC_MICROSOFT_CLIENT_ID: 'id' }, 'OIDC_MICROSOFT_CLIENT_SECRET'],
  ] as const) {
    it(`prevent the start if ${missing} is missing but ${Object.keys(given)} is set`, () => {
      expect(() => readConfig({ ...given })).to.throw(`Setting ${missing} is missing`)
    })
  }

  it('require HTTPS if private addresses are refused', () => {
    const settings = { ...google, OIDC_GOOGLE_ISSUER: 'http://127.0.0.1:9', ALLOW_PRIVATE_NETWORK: 'false' }
    expect(() => readConfig(settings)).to.throw('expected an HTTPS address')
  })

  it('reject a misspelt name', () => {
    expect(() => readConfig({ OIDC_GOOGLE_SECRET: 'x' })).to.throw('Setting OIDC_GOOGLE_SECRET is not known')
  })
})

describe('base URLs', () => {
  for (const name of ['PUBLIC_URL', 'APP_URL', 'IPFS_GATEWAY_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
    for (const end of ['?a=b', '/path?', '#top', '/#/']) {
      it(`have no query and no fragment, because paths are appended: ${name}, ${end}`, () => {
        const read = () => readConfig({ [name]: `https://svc.example${end}` })
        expect(read).to.throw(`Setting ${name}: expected a URL without query and fragment`)
      })
    }
  }

  for (const name of ['PUBLIC_URL', 'APP_URL'] as const) {
    it(`are written as browsers write them: ${name}`, () => {
      const { publicUrl, appUrl } = readConfig({ [name]: 'HTTPS://Registry.Example:443//' })
      expect(name === 'PUBLIC_URL' ? publicUrl : appUrl).to.equal('https://registry.example')
    })

    it(`have no user, no password and no spaces: ${name}`, () => {
      for (const text of ['https://user@svc.example', 'https://:secret@svc.example']) {
        expect(() => readConfig({ [name]: text })).to.throw(
          `Setting ${name}: expected a URL without user and password`,
        )
      }
      const read = () => readConfig({ [name]: 'https://svc.example/a b' })
      expect(read).to.throw(`Setting ${name}: expected a URL without spaces`)
    })
  }

  it('may have a path, except that of the dashboard', () => {
    const nested = { PUBLIC_URL: 'https://svc.example/registry/' }
    const { publicUrl, appUrl } = readConfig({ ...nested, APP_URL: 'https://app.svc.example' })
    expect([publicUrl, appUrl]).to.deep.equal(['https://svc.example/registry', 'https://app.svc.example'])
    expect(() => readConfig(nested)).to.throw('Setting APP_URL is required when PUBLIC_URL has a path')
    expect(() => readConfig({ APP_URL: nested.PUBLIC_URL })).to.throw(
      'Setting APP_URL: expected a URL without a path',
    )
  })
})

describe('settings that only a library would refuse', () => {
  it('are refused by name, and a key is not repeated', () => {
    for (const name of ['RELAYER_PRIVATE_KEY', 'RELAYER_PRIVATE_KEY_FORMER']) {
      for (const digit of ['0', 'f']) {
        const key = `0x${digit.repeat(64)}`
        expect(() => readConfig({ [name]: key }))
          .to.throw(`Setting ${name}: expected a key of secp256k1`)
          .with.property('message')
          .that.does.not.contain(key)
      }
    }
    for (const server of ['999.1.1.1:53', '1.1.1.1:70000', '[zz]:53', '[1::2::3]:53', 'dns.example']) {
      const read = () => readConfig({ DNS_SERVERS: `9.9.9.9, ${server}` })
      expect(read, server).to.throw('Setting DNS_SERVERS: expected addresses')
    }
    expect(readConfig({ DNS_SERVERS: '1.1.1.1,[2606:4700::1]:53' }).dnsServers).to.have.length(2)
    const read = () => readConfig({ DATABASE_URL: 'postgres://' })
    expect(read).to.throw('Setting DATABASE_URL: expected postgres://user:password@host:port/database')
  })
})

describe('a wrong value', () => {
  for (const [name, value, expected] of [
    ['RPC_URL', 'localhost:8545', 'a URL that begins with http:// or https://'],
    ['PUBLIC_URL', 'registry.example', 'a URL that begins with http:// or https://'],
    ['SMTP_URL', 'mail.example:587', 'smtp:// or smtps:// and a host, with percent-encoded credentials'],
    ['SMTP_URL', 'smtp://', 'smtp:// or smtps:// and a host, with percent-encoded credentials'],
    ['IPFS_GATEWAY_URL', 'https://ipfs.example/ipfs/', 'a URL without /ipfs, which is appended'],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'http://otel:4318/v1/traces',
      'a URL without /v1/traces, which is appended',
    ],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Basic eA', 'name=value, percent-encoded'],
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['AUDIT_BATCH_SECONDS', '5s', 'a whole number from 1 to 86400'],
    ['RELAYER_BUDGET_SHARE_PER_ACCOUNT', '10%', 'a number above 0 and up to 1'],
    ['SECRETS_KEY', 'abc', '32 bytes in base64'],
    ['DATA_DIR', '~/svc', 'a path without spaces around it, and without ~, which only a shell replaces'],
    ['DATA_DIR', '/srv/svc ', 'a path without spaces around it, and without ~, which only a shell replaces'],
    ['OIDC_GOOGLE_CLIENT_SECRET', 'secret\n', 'a text without spaces or line breaks around it'],
  ] as const) {
    it(`stops the start with what was expected: ${name}=${JSON.stringify(value)}`, () => {
      expect(() => readConfig({ [name]: value })).to.throw(
        `Setting ${name}: expected ${expected}; correct it, or`,
      )
    })
  }

  it('in a file stops the start with the name that was set', () => {
    const folder = createTemporaryFolder()
    const SECRETS_KEY_FILE = join(folder.path, 'key')
    writeFileSync(SECRETS_KEY_FILE, 'abc\n')
    expect(() => readConfig({ SECRETS_KEY_FILE })).to.throw('Setting SECRETS_KEY_FILE: expected 32 bytes')
    folder.remove()
  })
})

describe('the sender of mails', () => {
  for (const sender of [
    'no-reply@svc.example',
    'svc@localhost',
    'post@büro.example',
    'Svc <no-reply@svc.example>',
    'Svc (registry) of Müller & Co. <no-reply@svc.example>',
    '"Svc, \\"the\\" registry" <no-reply@svc.example>',
    '<no-reply@svc.example>',
  ]) {
    it(`is an address, with or without a name: ${sender}`, () => {
      expect(readConfig({ MAIL_FROM: sender }).mail.from).to.equal(sender)
    })
  }
  for (const sender of [
    'Svc',
    'svc.example',
    '@svc.example',
    'no-reply@',
    'no-reply@svc..example',
    'a@svc.example, b@svc.example',
    'Svc, Inc. <no-reply@svc.example>',
    'Svc <no-reply>',
    'Svc <no-reply@svc.example',
    'no-reply@svc.example>',
  ]) {
    it(`rejects anything else: ${sender}`, () => {
      expect(() => readConfig({ MAIL_FROM: sender })).to.throw('Setting MAIL_FROM: expected an address')
    })
  }
})

describe('the folder of registration files', () => {
  it('belongs to the data folder that is named, so that two services of one checkout share none', () => {
    const folderOf = (settings: Record<string, string>) => readConfig(settings).registrationFilesDir
    expect(folderOf({ DATA_DIR: '/srv/one' })).to.equal(join('/srv/one', 'registration-files'))
    expect(folderOf({})).to.equal(resolve('registration-files'))
    expect(folderOf({ DATA_DIR: '/srv/one', REGISTRATION_FILES_DIR: '/srv/files' })).to.equal('/srv/files')
  })
})

describe('the limits of people', () => {
  const chain = { RPC_URL: 'http://127.0.0.1:1', RELAYER_PRIVATE_KEY: `0x${'1'.repeat(64)}` }

  const BUDGETS = [
    ['VERIFY', 'verifyPerMinutePerAccount', 6_000],
    ['API', 'apiPerMinutePerAccount', 1_200],
  ] as const
  for (const [name, rate, byDefault] of BUDGETS) {
    it(`allow an account ten times the calls of a key, or the configured number: ${name}`, () => {
      const perAccount = (settings: Record<string, string>) => readConfig(settings).rates[rate]
      expect(perAccount({})).to.equal(byDefault)
      expect(perAccount({ [`${name}_RATE_PER_MINUTE`]: '700' })).to.equal(7_000)
      expect(perAccount({ [`${name}_RATE_PER_MINUTE_PER_ACCOUNT`]: '5' })).to.equal(5)
      expect(() => perAccount({ [`${name}_RATE_PER_MINUTE_PER_ACCOUNT`]: '0' })).to.throw('PER_ACCOUNT')
    })
  }

  it('allow twenty registrations per hour where gas costs money, and the configured number anywhere', () => {
    const registrations = (settings: Record<string, string>) =>
      readConfig(settings).rates.registrationsPerHour
    expect(registrations(chain)).to.equal(20)
    expect(registrations({})).to.be.above(1_000_000)
    for (const settings of [{}, chain]) {
      expect(registrations({ ...settings, REGISTRATION_RATE_PER_HOUR: '7' })).to.equal(7)
    }
    expect(() => registrations({ REGISTRATION_RATE_PER_HOURS: '7' })).to.throw('not known')
  })

  it('allow one ether a day where gas costs money, and the configured sum anywhere', () => {
    const budget = (settings: Record<string, string>) => readConfig(settings).chain.dailyBudgetEth
    expect([budget({}), budget(chain)]).to.deep.equal([undefined, '1'])
    for (const settings of [{}, chain]) {
      expect(budget({ ...settings, RELAYER_DAILY_BUDGET_ETH: '0.5' })).to.equal('0.5')
    }
  })
})

describe('the limit of sign-ups per hour', () => {
  const signUps = (settings: Record<string, string>) => readConfig(settings).rates.signUpsPerHour

  it('is thirty if mails are sent, unlimited if they are written to files, and the configured value in either case', () => {
    const smtp = { SMTP_URL: 'smtp://mail.acme.io' }
    expect(signUps(smtp)).to.equal(30)
    expect(signUps({})).to.be.above(1_000_000)
    expect([
      signUps({ SIGN_UP_RATE_PER_HOUR: '7' }),
      signUps({ ...smtp, SIGN_UP_RATE_PER_HOUR: '7' }),
    ]).to.deep.equal([7, 7])
    expect(() => signUps({ SIGN_UP_RATE_PER_HOUR: '0' })).to.throw('SIGN_UP_RATE_PER_HOUR')
    expect(() => signUps({ SIGN_UPS_PER_HOUR: '7' })).to.throw('not known')
  })
})

describe('the node that proof pages ask', () => {
  const asked = (environment: Record<string, string>) => readConfig(environment).chain.publicRpcUrl
  const elsewhere = { RPC_URL: 'https://rpc.example/secret', RELAYER_PRIVATE_KEY: `0x${'1'.repeat(64)}` }

  it('is the local chain if its port is known, the published node, or none', () => {
    expect(asked({ CHAIN_PORT: '8546' })).to.equal('http://127.0.0.1:8546')
    expect(asked({ CHAIN_PORT: '0' })).to.equal(null)
    expect(asked(elsewhere)).to.equal(null)
    expect(asked({ ...elsewhere, PUBLIC_RPC_URL: 'https://open.example' })).to.equal('https://open.example')
  })
})

describe('the standby for reads', () => {
  const READ_DATABASE_URL = 'postgres://svc@standby/svc'
  const settings = {
    DATABASE_URL: 'postgres://svc@primary/svc',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  }

  it('is optional, belongs to a database, and is one server', () => {
    expect(readConfig(settings).readDatabaseUrl).to.equal(undefined)
    expect(readConfig({ ...settings, READ_DATABASE_URL }).readDatabaseUrl).to.equal(READ_DATABASE_URL)
    expect(() => readConfig({ READ_DATABASE_URL })).to.throw(
      'a replica only of the PostgreSQL at DATABASE_URL',
    )
    expect(() => readConfig({ ...settings, READ_DATABASE_URL, DATABASE_FEATURES: 'portable' })).to.throw(
      'requires DATABASE_FEATURES=full',
    )
    const two = { READ_DATABASE_URL: 'postgres://svc@one,two/svc' }
    expect(() => readConfig({ ...settings, ...two })).to.throw('Setting READ_DATABASE_URL: expected one host')
  })
})

describe('the former key of the relayer', () => {
  it('is a key of 32 bytes, or absent', () => {
    expect(readConfig({}).chain.formerRelayerPrivateKey).to.equal(undefined)
    const key = `0x${'1'.repeat(64)}`
    expect(readConfig({ RELAYER_PRIVATE_KEY_FORMER: key }).chain.formerRelayerPrivateKey).to.equal(key)
    expect(() => readConfig({ RELAYER_PRIVATE_KEY_FORMER: '0x12' })).to.throw('RELAYER_PRIVATE_KEY_FORMER')
  })
})
