import { expect } from 'chai'
import { runScript } from '../harness/service/runScript.ts'

const WORDS = ['--service', 'http://127.0.0.1:1', '--once']

describe('npm run monitor', function () {
  this.timeout(30_000)

  for (const [about, words, settings, sentence] of [
    [
      'a mail server',
      ['--mail', 'me@svc.example'],
      { SMTP_URL: 'mail.example' },
      /^Setting SMTP_URL: expected smtp:/,
    ],
    [
      'a sender',
      ['--mail', 'me@svc.example'],
      { MAIL_FROM: 'me' },
      /^Setting MAIL_FROM: expected an address/,
    ],
    [
      'the file of a setting',
      [],
      { SMTP_URL_FILE: '/proc/none' },
      /^Setting SMTP_URL_FILE: .+ cannot be read \(ENOENT\)/,
    ],
    [
      'a place for the state',
      ['--state', '/proc/none'],
      {},
      /The state file \/proc\/none cannot be written\.$/m,
    ],
  ] as const) {
    it(`exits with 2 before anything is found if it could not tell anybody or remember it: ${about}`, async () => {
      const { code, stdout, stderr } = await runScript('monitor.ts', [...WORDS, ...words], settings)
      expect([code, stdout]).to.deep.equal([2, ''])
      expect(stderr)
        .to.match(sentence)
        .and.match(/Try "npm run monitor -- --help"\.\n$/)
    })
  }

  it('reads no other setting of the service', async () => {
    const { code, stderr } = await runScript('monitor.ts', WORDS, {
      SECRETS_KEY_FILE: '/proc/none',
      PORT: 'none',
    })
    expect([code, stderr]).to.deep.equal([2, 'Not checked: http://127.0.0.1:1 did not respond.\n'])
  })
})
