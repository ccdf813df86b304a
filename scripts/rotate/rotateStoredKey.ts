import { generateKeyPairSync } from 'node:crypto'
import type { Config } from '../../server/config.ts'
import { toRingKey } from '../../server/external/keyRing.ts'
import { openSecretBoxes, type SecretsConfig } from '../../server/external/openSecretBoxes.ts'
import { parsePrivateJwk } from '../../server/external/readSigningKey.ts'
import {
  cancelSigningKey,
  type RotateSigningKeyDeps,
  type RotateSigningKeyInput,
  rotateSigningKey,
} from '../../server/services/secrets/rotateSigningKey.ts'
import { openDatabase } from '../../server/store/database/openDatabase.ts'
import { createSigningKeyStore } from '../../server/store/secrets/signingKeyStore.ts'
import { requireServiceDatabase } from '../requireServiceDatabase.ts'

/**
 * Publishes a new signing key of a configured service, or withdraws one that does not sign yet; servers may be running.
 *
 * @returns What was done, for the operator.
 * @throws Error with a message for the operator.
 */
export async function rotateStoredKey(
  config: SecretsConfig & Pick<Config, 'databaseUrl' | 'databaseFeatures' | 'databaseFile' | 'feedFile'>,
  { isCancelled, ...input }: RotateSigningKeyInput & { isCancelled: boolean },
): Promise<string> {
  await requireServiceDatabase(config)
  const db = await openDatabase(config)
  try {
    const keys = createSigningKeyStore(db.query)
    const { secrets } = openSecretBoxes(config)
    const deps = { keys, secrets, generate, transaction: db.transaction }
    const { purpose } = input
    if (isCancelled) {
      const cancelled = await cancelSigningKey(deps, input)
      if (cancelled === null) throw new Error(`No key of ${purpose} is published that does not sign yet.`)
      return `The key ${cancelled.kid} of ${purpose} is withdrawn; the current one continues to sign.`
    }
    const { kid, signsFrom, formerUntil } = await rotateSigningKey(deps, input)
    return [
      `The key ${kid} of ${purpose} is published and signs from ${new Date(signsFrom).toISOString()}.`,
      `The former key stays published until ${new Date(formerUntil).toISOString()}.`,
    ].join('\n')
  } finally {
    await db.close()
  }
}

const generate: RotateSigningKeyDeps['generate'] = (curve, times) => {
  const { privateKey } =
    curve === 'P-256' ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('ed25519')
  return toRingKey(parsePrivateJwk(JSON.stringify(privateKey.export({ format: 'jwk' }))), times)
}
