import type { Config } from '../../server/config.ts'
import type { SecretsConfig } from '../../server/external/keys/openSecretBoxes.ts'
import { rotateSecrets, type SecretsRotation } from '../../server/services/secrets/rotateSecrets.ts'
import { openDatabase } from '../../server/store/database/openDatabase.ts'
import { createProcessSettingsStore } from '../../server/store/database/processSettingsStore.ts'
import { createSealedValueStore } from '../../server/store/secrets/sealedValueStore.ts'
import { createSecretsKeyStore } from '../../server/store/secrets/secretsKeyStore.ts'
import { createCheckpointedWrites } from '../archive/createCheckpointedWrites.ts'
import { requireServiceDatabase } from '../requireServiceDatabase.ts'
import { openServiceSecrets } from './openServiceSecrets.ts'

/**
 * Encrypts every stored secret of a configured service with its current key; servers may be running.
 *
 * @throws Error with a message for the operator.
 */
export async function rotateStoredSecrets(
  config: SecretsConfig & Pick<Config, 'databaseUrl' | 'databaseFeatures' | 'databaseFile' | 'feedFile'>,
): Promise<SecretsRotation> {
  await requireServiceDatabase(config)
  const db = await openDatabase(config)
  const writes = createCheckpointedWrites(config, db.transaction)
  const used = createSecretsKeyStore(db.query)
  try {
    return await rotateSecrets({
      values: createSealedValueStore(db.query),
      used,
      running:
        config.databaseUrl === undefined
          ? async (run) => [await used.latest(run)]
          : createProcessSettingsStore(db.query).liveSecretsKeys,
      boxes: await openServiceSecrets(config, used),
      transaction: writes.transaction,
    })
  } finally {
    writes.close()
    await db.close()
  }
}
