import type { SecretBox } from '../external/secretBox.ts'
import type { SharedKeyStore } from '../store/accounts/sharedKeyStore.ts'

const NAME = 'secrets-key-check'

/**
 * Ensures that the secrets key is the one with which stored secrets were encrypted, by a text encrypted at the first start.
 *
 * With another key nothing would fail until the first secret is needed, and new secrets would be encrypted with it.
 *
 * @throws Error with a message for the operator for another key.
 */
export async function checkSecretsKey(deps: { keys: SharedKeyStore; secrets: SecretBox }): Promise<void> {
  const sealed =
    (await deps.keys.byName(NAME)) ?? (await deps.keys.insertOrRead(NAME, deps.secrets.seal(NAME, NAME)))
  try {
    deps.secrets.open(sealed, NAME)
  } catch {
    // The cause adds nothing, and the key is never shown.
    throw new Error(
      'SECRETS_KEY (or the file secrets-key in DATA_DIR) is not the key that the stored secrets were sealed with',
    )
  }
}
