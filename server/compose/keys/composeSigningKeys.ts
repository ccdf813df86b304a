import { join } from 'node:path'
import { createKeyRing, type KeyRing, toPublicJwk } from '../../external/keys/keyRing.ts'
import { openSecretBoxes, type SecretsConfig } from '../../external/keys/openSecretBoxes.ts'
import { readEd25519Key } from '../../external/keys/readEd25519Key.ts'
import { parsePrivateJwk, readSigningKey } from '../../external/keys/readSigningKey.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { SIGNING_KEYS, type SigningPurpose } from '../../services/secrets/signingKeys.ts'
import type { Db } from '../../store/database/database.ts'
import { createSigningKeyStore } from '../../store/secrets/signingKeyStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { openLaterKeys } from './openLaterKeys.ts'

/** A new key is published for two minutes at least before it signs, so every process knows it by then. */
const RELOAD_MS = 30_000
const PURPOSES = Object.keys(SIGNING_KEYS) as SigningPurpose[]
/** The key of checkpoints is published as a key of notes. */
const IN_KEY_SET: readonly SigningPurpose[] = ['access-tokens', 'agent-cards', 'receipts']

export type ComposedSigningKeys = {
  rings: Record<SigningPurpose, KeyRing>
  /** The public keys that verify what is signed now, will be next, or may still be valid. */
  published(): Record<string, string>[]
  /** Reads the keys again. */
  reload(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/**
 * Composes the keys that sign for the registry: the first of each from the data folder, later ones from the database, which
 * all processes read again every 30 seconds.
 */
export async function composeSigningKeys(deps: {
  db: Pick<Db, 'query'>
  config: SecretsConfig
  clock: () => number
  log: Pick<Logger, 'error'>
}): Promise<ComposedSigningKeys> {
  const { db, config, clock, log } = deps
  const store = createSigningKeyStore(db.query)
  const { secrets } = openSecretBoxes(config)
  const rings = readFirstKeys(config.dataDir)

  async function reload(): Promise<void> {
    const stored = await store.list()
    for (const purpose of PURPOSES) rings[purpose].setLater(openLaterKeys(stored, secrets, purpose))
  }

  await reload()
  const worker = createRoundsWorker({
    failing: 'signing keys cannot be read again',
    round: async () => {
      await reload()
      return 0
    },
    pauseMs: RELOAD_MS,
    log,
  })
  return {
    rings,
    published: () =>
      IN_KEY_SET.flatMap((purpose) => rings[purpose].published(clock()).map(({ jwk }) => toPublicJwk(jwk))),
    reload,
    start: worker.start,
    stop: worker.stop,
  }
}

function readFirstKeys(dataDir: string): Record<SigningPurpose, KeyRing> {
  const fileOf = (purpose: SigningPurpose) => join(dataDir, SIGNING_KEYS[purpose].file)
  const createEd25519Ring = (purpose: SigningPurpose) => {
    const jwk = readEd25519Key(fileOf(purpose)).export({ format: 'jwk' })
    return createKeyRing(parsePrivateJwk(JSON.stringify(jwk)))
  }
  return {
    'access-tokens': createKeyRing(readSigningKey(fileOf('access-tokens'))),
    'agent-cards': createKeyRing(readSigningKey(fileOf('agent-cards'))),
    receipts: createEd25519Ring('receipts'),
    checkpoints: createEd25519Ring('checkpoints'),
  }
}
