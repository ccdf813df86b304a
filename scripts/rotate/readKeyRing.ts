import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLaterKeys } from '../../server/compose/keys/openLaterKeys.ts'
import type { Config } from '../../server/config.ts'
import { createKeyRing, type KeyRing } from '../../server/external/keys/keyRing.ts'
import { parsePrivateJwk } from '../../server/external/keys/readSigningKey.ts'
import type { SecretBox } from '../../server/external/keys/secretBox.ts'
import { sealContexts } from '../../server/services/secrets/sealedValues.ts'
import { SIGNING_KEYS, type SigningPurpose } from '../../server/services/secrets/signingKeys.ts'
import { createSharedKeyStore } from '../../server/store/accounts/sharedKeyStore.ts'
import type { Db } from '../../server/store/database/database.ts'
import { createSigningKeyStore } from '../../server/store/secrets/signingKeyStore.ts'

/**
 * Reads the keys of one purpose that there have been so far. The first one is in the data folder or, for processes over
 * PostgreSQL, in the database; it is never created here, because that would be another key.
 *
 * @throws Error with a message for the operator if there is none.
 */
export async function readKeyRing(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { db, secrets }: { db: Pick<Db, 'query'>; secrets: SecretBox },
  purpose: SigningPurpose,
): Promise<KeyRing> {
  const { file } = SIGNING_KEYS[purpose]
  const path = join(dataDir, file)
  const shared = databaseUrl === undefined ? null : await createSharedKeyStore(db.query).byName(file)
  if (shared === null && !existsSync(path))
    throw new Error(`There is no ${file} in ${dataDir}: set DATA_DIR to the folder of the service.`)
  const first =
    shared === null ? readFileSync(path, 'utf8') : secrets.open(shared, sealContexts.sharedKey(file))
  const ring = createKeyRing(parsePrivateJwk(first))
  ring.setLater(openLaterKeys(await createSigningKeyStore(db.query).list(), secrets, purpose))
  return ring
}
