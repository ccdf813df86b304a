import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { SETTINGS } from '../../../server/config/settings.ts'
import { type Config, readConfig } from '../../../server/config.ts'
import { createTemporaryFolder } from './createTemporaryFolder.ts'

/** A valid content of each secret that the files in `deploy/` name. */
export const SECRETS: Record<string, string> = {
  'database-url': 'postgres://svc:secret@database/svc\n',
  'metrics-token': 'metrics\n',
  'relayer-key': `${LOCAL_CHAIN_KEY}\n`,
  'rpc-url': 'https://chain.example\n',
  'secrets-key': `${Buffer.alloc(32, 7).toString('base64')}\n`,
}

/**
 * Reads the configuration that a deployment gives the service, with sample secrets in place of its files.
 *
 * @param surroundings Variables that the deployment does not name, and that are there nevertheless.
 * @throws AssertionError for a variable that neither the service nor Node knows, and for a secret without a sample.
 */
export function readDeployedConfig(
  environment: Record<string, string>,
  surroundings: Record<string, string> = {},
): Config {
  const folder = createTemporaryFolder()
  try {
    const given = Object.entries(environment).map(([variable, value]) => {
      if (!variable.endsWith('_FILE')) return [variable, value] as const
      const name = basename(value)
      expect(SECRETS).to.have.property(name)
      const file = join(folder.path, name)
      writeFileSync(file, SECRETS[name] ?? '')
      return [variable, file] as const
    })
    const known = (variable: string) =>
      variable.startsWith('NODE_') || variable in SETTINGS || variable.replace(/_FILE$/, '') in SETTINGS
    expect(given.filter(([variable]) => !known(variable)).map(([variable]) => variable)).to.deep.equal([])
    return readConfig({ ...surroundings, ...Object.fromEntries(given) })
  } finally {
    folder.remove()
  }
}
