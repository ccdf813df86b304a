import { join } from 'node:path'
import { createDocumentBox, type DocumentBox } from '../documentBox.ts'
import { readSecretsKey } from './readSecretsKey.ts'
import { createSecretBox, type SecretBox } from './secretBox.ts'
import { createSecretsKeys, type SecretsKeys } from './secretsKeys.ts'

/** The settings that the keys of stored secrets are read from; keys in base64. */
export type SecretsConfig = {
  dataDir: string
  secretsKey?: string | undefined
  formerSecretsKeys?: readonly string[] | undefined
}

export type SecretBoxes = { keys: SecretsKeys; secrets: SecretBox; documents: DocumentBox }

/**
 * Opens the boxes for secrets and documents under the configured key, otherwise under the one in the data folder; former
 * keys only decrypt.
 *
 * @throws Error when the file of the key contains anything else.
 */
export function openSecretBoxes({ dataDir, secretsKey, formerSecretsKeys = [] }: SecretsConfig): SecretBoxes {
  const current = readSecretsKey(secretsKey, join(dataDir, 'secrets-key'))
  const keys = createSecretsKeys(current, ...formerSecretsKeys.map((text) => Buffer.from(text, 'base64')))
  return { keys, secrets: createSecretBox(keys), documents: createDocumentBox(keys) }
}
