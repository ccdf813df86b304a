import type { SecretsKeyStore } from '../../store/secrets/secretsKeyStore.ts'

/**
 * Checks that the service has started with a key, because it could not read what a command encrypts with another one.
 *
 * @throws Error with a message for the operator.
 */
export async function requireStartedKey(used: Pick<SecretsKeyStore, 'list'>, keyId: string): Promise<void> {
  if ((await used.list()).includes(keyId)) return
  throw new Error(
    `The service has never started with this SECRETS_KEY, ${keyId}: set the key that it runs with or, to replace that ` +
      'key, restart it first, with the former key in SECRETS_KEY_FORMER.',
  )
}
