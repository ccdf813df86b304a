import { generateKeyPairSync } from 'node:crypto'
import type { Config } from '../../server/config.ts'
import { toRingKey } from '../../server/external/keys/keyRing.ts'
import type { SecretsConfig } from '../../server/external/keys/openSecretBoxes.ts'
import { parsePrivateJwk } from '../../server/external/keys/readSigningKey.ts'
import {
  cancelSigningKey,
  type RotateSigningKeyDeps,
  rotateSigningKey,
} from '../../server/services/secrets/rotateSigningKey.ts'
import type { SigningPurpose } from '../../server/services/secrets/signingKeys.ts'
import { withdrawSigningKey } from '../../server/services/secrets/withdrawSigningKey.ts'
import { openDatabase } from '../../server/store/database/openDatabase.ts'
import { createSecretsKeyStore } from '../../server/store/secrets/secretsKeyStore.ts'
import { createSigningKeyStore } from '../../server/store/secrets/signingKeyStore.ts'
import { requireServiceDatabase } from '../requireServiceDatabase.ts'
import { describeKeys } from './describeKeys.ts'
import { openServiceSecrets } from './openServiceSecrets.ts'
import { readKeyRing } from './readKeyRing.ts'

/** What is done with the keys of one purpose. */
export type KeyAction =
  | { kind: 'publish'; leadMs: number; isStolen: boolean }
  | { kind: 'withdraw'; kid: string }
  | { kind: 'cancel' }
  | { kind: 'list' }

/**
 * Publishes a new signing key of a configured service, or withdraws one; servers may be running.
 *
 * @returns What was done, for the operator.
 * @throws Error with a message for the operator.
 */
export async function rotateStoredKey(
  config: SecretsConfig & Pick<Config, 'databaseUrl' | 'databaseFeatures' | 'databaseFile' | 'feedFile'>,
  { purpose, action, now }: { purpose: SigningPurpose; action: KeyAction; now: number },
): Promise<string> {
  await requireServiceDatabase(config)
  const db = await openDatabase(config)
  try {
    const keys = createSigningKeyStore(db.query)
    const { secrets } = await openServiceSecrets(config, createSecretsKeyStore(db.query))
    const deps = { keys, secrets, generate, transaction: db.transaction }
    switch (action.kind) {
      case 'list':
        return describeKeys(await readKeyRing(config, { db, secrets }, purpose), now)
      case 'cancel': {
        const cancelled = await cancelSigningKey(deps, { purpose, now })
        if (cancelled === null) throw new Error(`No key of ${purpose} is published that does not sign yet.`)
        return `The key ${cancelled.kid} of ${purpose} is withdrawn; the current one continues to sign.`
      }
      case 'withdraw': {
        const ring = await readKeyRing(config, { db, secrets }, purpose)
        await withdrawSigningKey({ ...deps, ring }, { purpose, kid: action.kid, now })
        return `The key ${action.kid} of ${purpose} is withdrawn: within a minute, no process publishes or accepts it any more.`
      }
      case 'publish':
        return await publish(deps, { purpose, now, ...action })
    }
  } finally {
    await db.close()
  }
}

async function publish(
  deps: RotateSigningKeyDeps,
  input: Parameters<typeof rotateSigningKey>[1],
): Promise<string> {
  const { kid, signsFrom, formerUntil } = await rotateSigningKey(deps, input)
  const end = new Date(formerUntil).toISOString()
  return [
    `The key ${kid} of ${input.purpose} is published and signs from ${new Date(signsFrom).toISOString()}.`,
    input.isStolen
      ? `No former key is published or accepted after ${end}.`
      : `The former key stays published until ${end}.`,
  ].join('\n')
}

const generate: RotateSigningKeyDeps['generate'] = (curve, times) => {
  const { privateKey } =
    curve === 'P-256' ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('ed25519')
  return toRingKey(parsePrivateJwk(JSON.stringify(privateKey.export({ format: 'jwk' }))), times)
}
