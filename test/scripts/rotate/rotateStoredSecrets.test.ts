import { expect } from 'chai'
import { composeDatabase } from '../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../server/config.ts'
import { createSecretBox, type SealContext } from '../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../server/external/keys/secretsKeys.ts'
import { openDatabase } from '../../../server/store/database/openDatabase.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { runScript } from '../../harness/service/runScript.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')

describe('npm run rotate-secrets', () => {
  const folder = createTemporaryFolder()
  const settings = { DATA_DIR: folder.path, SECRETS_KEY: keyOf(2), SECRETS_KEY_FORMER: keyOf(1) }
  after(() => folder.remove())

  /** Opens the database as the service does, during which another process may write. */
  const start = (more: Record<string, string>) =>
    composeDatabase(readConfig({ ...settings, ...more }), { warn: () => undefined })

  it('lets the service start without the former key, which it says, and does so while the service runs', async () => {
    await (await start({ SECRETS_KEY: keyOf(1), SECRETS_KEY_FORMER: '' })).close()
    const tooEarly = await runScript('rotateSecrets.ts', [], settings)
    expect(tooEarly.code).to.equal(1)
    expect(tooEarly.stderr).to.match(
      /^The service has never started with this SECRETS_KEY, [0-9a-f]{12}: set the key that it runs with or, /,
    )

    const running = await start({})
    try {
      const { code, stdout } = await runScript('rotateSecrets.ts', [], settings)
      expect(stdout).to.contain('shared_keys.sealed: 1 encrypted again; 1 under the current key')
      expect(stdout).to.match(/which every running process uses: SECRETS_KEY_FORMER may be removed\.\n$/)
      expect(code).to.equal(0)
    } finally {
      await running.close()
    }
    await (await start({ SECRETS_KEY_FORMER: '' })).close()
  })

  it('says that a secret cannot be read, and fails, although no former key is known', async () => {
    const { query } = await openDatabase(readConfig(settings))
    const sealed = createSecretBox(createSecretsKeys(new Uint8Array(32).fill(9))).seal(
      'x',
      'x' as SealContext,
    )
    await query('shared_keys').insert({ name: 'lost', sealed })
    const { code, stdout } = await runScript('rotateSecrets.ts', [], settings)
    await query('shared_keys').where({ name: 'lost' }).delete()
    await query.destroy()
    expect(code).to.equal(1)
    expect(stdout).to.match(/no key opens 1 of them, such as those of lost\nNot every stored secret is/)
  })

  it('waits until the last start was with the current key, not with a former one', async () => {
    const back = { SECRETS_KEY: keyOf(1), SECRETS_KEY_FORMER: keyOf(2) }
    const running = await start(back)
    const { code, stdout } = await runScript('rotateSecrets.ts', [], settings)
    await running.close()
    expect(code).to.equal(1)
    expect(stdout).to.match(
      /SECRETS_KEY_FORMER is still needed \([0-9a-f]{12}\): a process encrypts with a former/,
    )
    expect((await runScript('rotateSecrets.ts', [], settings)).code, 'not restarted').to.equal(1)
    await (await start({})).close()
    expect((await runScript('rotateSecrets.ts', [], settings)).code).to.equal(0)
  })

  it('says in one sentence that there is no service', async () => {
    const { code, stderr } = await runScript('rotateSecrets.ts', [], { DATA_DIR: `${folder.path}/none` })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^There is no database in /)
  })
})
