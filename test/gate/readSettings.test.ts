import { readSettings } from '@svc/gate/settings/readSettings.ts'
import { expect } from 'chai'

const ENDPOINT = `SVCE-${'B'.repeat(22)}`
const ARGS = [
  '--upstream',
  'http://127.0.0.1:8080',
  '--endpoint',
  ENDPOINT,
  '--api',
  'https://registry.example/api',
]
const ENV = { SVC_API_KEY: 'svc_live_key' }

const read = (args: string[], env: Record<string, string> = ENV, files: Record<string, string> = {}) =>
  readSettings({
    ...{ args, env },
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
      return text
    },
  })

describe('the settings of svc-gate', () => {
  it('are flags, with the key from the environment, and defaults that listen on this machine only', () => {
    const settings = read(ARGS)
    expect(settings).to.deep.include({
      ...{ listen: { host: '127.0.0.1', port: 8081 }, admin: { host: '127.0.0.1', port: 9464 } },
      ...{ trustProxy: 0, connectMs: 5_000, responseMs: 60_000, graceMs: 20_000 },
      signedBodies: { waitMs: 20_000, bytesMax: 268_435_456 },
    })
    expect(settings?.upstream?.origin).to.equal('http://127.0.0.1:8080')
    expect(settings?.gateway).to.deep.equal({
      ...{ apiBaseUrl: 'https://registry.example/api', apiKey: 'svc_live_key', counterpartyId: ENDPOINT },
      ...{ holdStepUpMs: 0, bodyBytesMax: 1_048_576 },
    })
  })

  it('are taken from flags before the environment before the file', () => {
    const file = `forward-auth: request\nendpoint: ${ENDPOINT}\napi: http://localhost:3000/api\ngrace: 1\nreuse-grant: 60`
    const files = { '/gate.yaml': file, '/key': 'from-file\n' }
    const env = { SVC_GATE_GRACE: '2', SVC_GATE_LISTEN: '[::1]:80', SVC_API_KEY_FILE: '/key' }
    const settings = read(
      ['--config', '/gate.yaml', '--listen', '0.0.0.0:9000', '--admin', 'off'],
      env,
      files,
    )
    expect(settings).to.deep.include({
      ...{ upstream: null, question: 'request', graceMs: 2_000, admin: null },
      listen: { host: '0.0.0.0', port: 9_000 },
    })
    expect(settings?.gateway).to.include({ apiKey: 'from-file', reuseGrantSeconds: 60 })
  })

  it('are refused under a misspelt variable, but not what Kubernetes adds for a Service', () => {
    for (const name of ['SVC_GATE_GRACES', 'SVC_GATE_PORT', 'SVC_GATE_API_KEY']) {
      expect(() => read(ARGS, { ...ENV, [name]: '1' })).to.throw(
        `${name} is not the variable of any setting.`,
      )
    }
    const links = {
      ...{
        SVC_GATE_SERVICE_HOST: '10.0.0.1',
        SVC_GATE_SERVICE_PORT_HTTP: '80',
        SVC_GATE_PORT: 'tcp://10.0.0.1:80',
      },
      ...{ SVC_GATE_PORT_80_TCP_ADDR: '10.0.0.1', SVC_GATE_EU_PORT: 'tcp://10.0.0.2:80' },
    }
    expect(read(ARGS, { ...ENV, ...links, SVC_GATE_BODY_MAX: '1' })).not.to.equal(null)
  })

  it('are not needed for the help', () => {
    expect(read(['--help'], { SVC_GATE_GRACES: '1' })).to.equal(null)
  })

  const refused: [string, string[], RegExp, Record<string, string>?, Record<string, string>?][] = [
    ['no server and no proxy', ARGS.slice(2), /either upstream.*or forward-auth/],
    ['both of them', [...ARGS, '--forward-auth', 'headers'], /either upstream/],
    ['another way to ask', [...ARGS.slice(2), '--forward-auth', 'maybe'], /"headers".*"request"/],
    ['a server with a path', ['--upstream', 'http://a/b', ...ARGS.slice(2)], /upstream must be an origin/],
    ['a server of another scheme', ['--upstream', 'ftp://a', ...ARGS.slice(2)], /upstream must be an origin/],
    ['another endpoint', [...ARGS, '--endpoint', 'SVC-1'], /SVCE-/],
    ['no endpoint', [...ARGS.slice(0, 2), ...ARGS.slice(4)], /endpoint is missing/],
    ['an address that is not of the API', [...ARGS, '--api', 'https://registry.example'], /api must be/],
    ['an address without a port', [...ARGS, '--listen', 'localhost'], /listen must be a host and a port/],
    ['a port that is none', [...ARGS, '--listen', 'localhost:70000'], /listen must be/],
    ['a time that is no number', [...ARGS, '--grace', '1s'], /grace must be a whole number/],
    ['a grant that is reused for too long', [...ARGS, '--reuse-grant', '4000'], /from 0 to 3600/],
    ['less room than one body may need', [...ARGS, '--signed-bodies-max', '1000'], /from 1048576 to/],
    ['no time for a body', [...ARGS, '--signed-body-timeout', '0'], /from 1 to 3600/],
    ['proxies that are no number', [...ARGS, '--trust-proxy', 'yes'], /true, false, or the number/],
    ['an unknown flag', [...ARGS, '--purpose', 'x'], /purpose/],
    ['a key as a flag', [...ARGS, '--api-key', 'x'], /api-key/],
    ['no key', ARGS, /SVC_API_KEY or SVC_API_KEY_FILE is missing/, {}],
    [
      'a key file that is not there',
      ARGS,
      /api-key-file: \/none cannot be read \(ENOENT\)/,
      { SVC_API_KEY_FILE: '/none' },
    ],
    ['a file that is not there', ['--config', '/none'], /config: \/none cannot be read/],
    ['a file that is no YAML', ['--config', '/f'], /no YAML/, ENV, { '/f': 'a: [' }],
    ['a file that is a list', ['--config', '/f'], /settings by name/, ENV, { '/f': '- a' }],
    [
      'a file with an unknown setting',
      ['--config', '/f'],
      /unknown setting, "upstrm"/,
      ENV,
      { '/f': 'upstrm: a' },
    ],
    ['a file with the key', ['--config', '/f'], /must not have the key/, ENV, { '/f': 'api-key: a' }],
    ['a file with a list for a setting', ['--config', '/f'], /single value/, ENV, { '/f': 'listen: [a]' }],
  ]
  for (const [what, args, message, env, files] of refused) {
    it(`refuse ${what}, in a sentence`, () => {
      expect(() => read(args, env, files)).to.throw(message)
    })
  }
})
