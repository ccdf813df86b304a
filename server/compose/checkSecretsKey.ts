import type { SecretBox } from '../external/secretBox.ts'
import type { SharedKeyStore } from '../store/accounts/sharedKeyStore.ts'

const NAME = 'secrets-key-check'

/**
 * Makes sure that the secrets' key is the one the stored secrets were sealed with, by a text sealed at the first start.
 *
 * With another key nothing would fail before the first secret is needed, and new secrets would be sealed with it.
 *
 * @throws Error with a sentence for the operator when it is another.
 */
export async function checkSecretsKey(deps: { keys: SharedKeyStore; secrets: SecretBox }): Promise<void> {
  const sealed =
    (await deps.keys.byName(NAME)) ?? (await deps.keys.insertOrRead(NAME, deps.secrets.seal(NAME, NAME)))
  try {
    deps.secrets.open(sealed, NAME)
  } catch {
    // The cause says nothing more, and the key is never shown.
    throw new Error(
      'SECRETS_KEY (or the file secrets-key in DATA_DIR) is not the key that the stored secrets were sealed with',
    )
  }
}
