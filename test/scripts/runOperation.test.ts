import { expect } from 'chai'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { runScript } from '../harness/service/runScript.ts'

const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')

/** The commands that open the database of the service, with arguments that they accept. */
const COMMANDS = [
  ['backup.ts', '--to', 'backup'],
  ['archive.ts', '--before', '2026-01-31', '--to', 'archive.jsonl'],
  ['rotateKeys.ts', 'receipts'],
  ['rotateSecrets.ts'],
  ['rotateRelayer.ts'],
  ['deploy.ts'],
] as const

describe('a command of the operator', function () {
  this.timeout(60_000)

  for (const [script, ...words] of COMMANDS) {
    it(`names the setting if the database does not respond: ${script}`, async () => {
      const port = await findFreePort()
      const DATABASE_URL = `postgres://svc:secret@127.0.0.1:${port}/svc`
      const chain = { RPC_URL: 'http://127.0.0.1:1', RELAYER_PRIVATE_KEY: `0x${'11'.repeat(32)}` }
      const { code, stdout, stderr } = await runScript(script, words, { DATABASE_URL, SECRETS_KEY, ...chain })
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.equal(
        `PostgreSQL at 127.0.0.1:${port} does not respond (ECONNREFUSED): start it, or correct DATABASE_URL\n`,
      )
    })
  }

  for (const script of ['rotateRelayer.ts', 'deploy.ts', 'rotateSecrets.ts', 'backup.ts']) {
    it(`does nothing when it is asked what it does, also without settings: ${script}`, async () => {
      const { code, stdout, stderr } = await runScript(script, ['--help'], { PORT: 'none' })
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.match(/^npm run /)
    })
  }
})
