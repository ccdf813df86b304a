import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  openSecretBoxes,
  type SecretBoxes,
  type SecretsConfig,
} from '../../server/external/keys/openSecretBoxes.ts'
import { requireStartedKey } from '../../server/services/secrets/requireStartedKey.ts'
import type { SecretsKeyStore } from '../../server/store/secrets/secretsKeyStore.ts'

/**
 * Opens the boxes of a service that has started with these settings. A service encrypts with its key only: what is
 * encrypted with another one stops its next start.
 *
 * @throws Error with a message for the operator if the key is not that of the service; none is created.
 */
export async function openServiceSecrets(
  config: SecretsConfig,
  used: Pick<SecretsKeyStore, 'list'>,
): Promise<SecretBoxes> {
  const { dataDir, secretsKey } = config
  if (secretsKey === undefined && !existsSync(join(dataDir, 'secrets-key')))
    throw new Error(
      `There is no secrets-key in ${dataDir}: set SECRETS_KEY as the service has it, or start the service, which creates one.`,
    )
  const boxes = openSecretBoxes(config)
  await requireStartedKey(used, boxes.keys[0].id)
  return boxes
}
