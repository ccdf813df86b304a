import type { SecretBoxes } from '../../external/keys/openSecretBoxes.ts'
import { createSecretBox, type SealContext } from '../../external/keys/secretBox.ts'
import type { SecretsKeys } from '../../external/keys/secretsKeys.ts'
import { deriveHostTokenKey } from '../../external/tokens/hostTokens.ts'
import { sealContexts } from '../../services/secrets/sealedValues.ts'
import type { SharedKeyStore } from '../../store/accounts/sharedKeyStore.ts'
import type { SecretsKeyStore } from '../../store/secrets/secretsKeyStore.ts'

/** A text that earlier versions encrypted at the first start on SQLite; on PostgreSQL they shared this key. */
const EARLIER_CHECK = 'secrets-key-check'
const EARLIER_SHARED_KEY = 'access-token-key.json'
const HOST_TOKEN_KEY = 'host-token-key'

type PrepareSecretsDeps = {
  stores: { used: SecretsKeyStore; shared: SharedKeyStore }
  boxes: Pick<SecretBoxes, 'keys' | 'secrets'>
}

/**
 * Ensures that there is a key for everything that is encrypted, and remembers that the current one is used from now on.
 *
 * With a key missing nothing would fail until the first secret is needed. The key of the tokens that owners publish for
 * their domains is stored at the first start, because a token must not change with the secrets key.
 *
 * @returns The key of those tokens.
 * @throws Error with a message for the operator if a key is missing.
 */
export async function prepareSecrets({ stores, boxes }: PrepareSecretsDeps): Promise<Uint8Array> {
  const { used, shared } = stores
  const [current] = boxes.keys
  const ids = await used.list()
  const first = ids.length === 0 ? await findEarlierKey(shared, boxes.keys) : current
  const missing = ids.find((id) => boxes.keys.every((key) => key.id !== id))
  if (missing !== undefined) throw new Error(explainMissing(missing))
  const sealed =
    (await shared.byName(HOST_TOKEN_KEY)) ??
    (await shared.insertOrRead(
      HOST_TOKEN_KEY,
      boxes.secrets.seal(
        Buffer.from(deriveHostTokenKey(first.bytes)).toString('base64'),
        sealContexts.sharedKey(HOST_TOKEN_KEY),
      ),
    ))
  await used.add(first.id)
  await used.add(current.id)
  await shared.remove(EARLIER_CHECK)
  return Buffer.from(boxes.secrets.open(sealed, sealContexts.sharedKey(HOST_TOKEN_KEY)), 'base64')
}

/** Finds the key of a database whose ciphertexts do not name it; the current one for a new database. */
async function findEarlierKey(shared: SharedKeyStore, keys: SecretsKeys): Promise<SecretsKeys[0]> {
  const check = await shared.byName(EARLIER_CHECK)
  const sealed = check ?? (await shared.byName(EARLIER_SHARED_KEY))
  if (sealed === null) return keys[0]
  const context = check === null ? sealContexts.sharedKey(EARLIER_SHARED_KEY) : (EARLIER_CHECK as SealContext)
  const found = keys.find((key) => opens(key, sealed, context))
  if (found === undefined) throw new Error(explainMissing(null))
  return found
}

function opens(key: SecretsKeys[0], sealed: string, context: SealContext): boolean {
  try {
    createSecretBox([key]).open(sealed, context)
    return true
  } catch {
    return false
  }
}

function explainMissing(id: string | null): string {
  return (
    'SECRETS_KEY (or the file secrets-key in DATA_DIR) is not the key that stored secrets were encrypted with' +
    `${id === null ? '' : `, ${id}`}: set that key in SECRETS_KEY_FORMER, or as SECRETS_KEY again`
  )
}
