import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { relayerAccountOf } from '../../server/chain/chainClient.ts'
import type { Hex } from '../../server/chain/chainTypes.ts'
import type { Config } from '../../server/config.ts'
import { openSecretBoxes } from '../../server/external/keys/openSecretBoxes.ts'
import type { SealContext } from '../../server/external/keys/secretBox.ts'
import { checkStoredLog } from '../../server/services/audit/checkStoredLog.ts'
import { drawLogId } from '../../server/services/chain/drawLogId.ts'
import { intentKey } from '../../server/services/relayer/intents.ts'
import { beginNewLog } from '../../server/store/audit/beginNewLog.ts'
import { createStoredLogStore } from '../../server/store/audit/storedLogStore.ts'
import { openUnmigrated } from '../../server/store/database/openUnmigrated.ts'
import { createOutboxStore } from '../../server/store/relayer/outboxStore.ts'
import { BACKUP_PARTS } from './backupParts.ts'
import { createFolderAtomically } from './createFolderAtomically.ts'
import type { Manifest } from './manifest.ts'
import { readManifest } from './readManifest.ts'
import { runPostgresTool } from './runPostgresTool.ts'

export type RestoreInput = {
  from: string
  to: string
  /** Whether to start a new log on chain, under another log id. */
  beginsNewLog: boolean
}

/**
 * Restores a backup into an empty data folder and, with DATABASE_URL, into an empty database.
 *
 * Before the data folder is created, every file is compared with the manifest, the secrets key is tried, and the roots of
 * the restored log are recomputed and compared with the sealed ones.
 *
 * @throws Error with a message for the operator; backup and destination folder stay unchanged.
 * Source: docs/reliability.md row 25.
 */
export async function restoreBackup(
  config: Pick<Config, 'databaseUrl' | 'secretsKey' | 'formerSecretsKeys' | 'chain'>,
  input: RestoreInput,
): Promise<Manifest> {
  const from = resolve(input.from)
  const manifest = await readManifest(from)
  const { databaseUrl } = config
  requireSameKind(manifest, databaseUrl)
  trySecretsKeys(manifest, config, join(from, BACKUP_PARTS.data))
  const opener = relayerAccountOf(config.chain.relayerPrivateKey).address
  const drawNewLog = input.beginsNewLog ? () => drawLogId(opener, randomBytes) : null
  return createFolderAtomically(resolve(input.to), async (draft) => {
    await copyPart(manifest, from, BACKUP_PARTS.registrationFiles, join(draft, 'registration-files'))
    if (databaseUrl === undefined) {
      await copyPart(manifest, from, BACKUP_PARTS.data, draft)
      await checkDatabase({ databaseFile: join(draft, 'svc.sqlite') }, manifest, drawNewLog)
    } else {
      await requireEmptyDatabase(databaseUrl)
      // All or nothing.
      const options = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error']
      await runPostgresTool('pg_restore', [...options, join(from, BACKUP_PARTS.dump)], databaseUrl)
      await checkDatabase({ databaseUrl }, manifest, drawNewLog)
    }
    return manifest
  })
}

/** Copies the files of a part that are listed in the manifest, and no others. */
async function copyPart({ files }: Manifest, from: string, part: string, to: string): Promise<void> {
  for (const { path } of files) {
    if (!path.startsWith(`${part}/`)) continue
    const target = join(to, path.slice(part.length + 1))
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(from, path), target)
  }
}

function requireSameKind({ database }: Manifest, databaseUrl: string | undefined): void {
  if (database === 'postgres' && databaseUrl === undefined) {
    throw new Error('The backup is of PostgreSQL: set DATABASE_URL to an empty database.')
  }
  if (database === 'sqlite' && databaseUrl !== undefined) {
    throw new Error('The backup is of SQLite: unset DATABASE_URL.')
  }
}

function trySecretsKeys(
  { secretsKeys = [], sealed }: Manifest,
  { secretsKey, formerSecretsKeys }: Pick<Config, 'secretsKey' | 'formerSecretsKeys'>,
  dataDir: string,
): void {
  if (secretsKey === undefined && !existsSync(join(dataDir, 'secrets-key'))) {
    throw new Error('The backup contains no secrets key: set SECRETS_KEY to the key of the service.')
  }
  const { keys, secrets } = openSecretBoxes({ dataDir, secretsKey, formerSecretsKeys })
  const missing = secretsKeys.filter((id) => keys.every((key) => key.id !== id))
  if (missing.length > 0) {
    throw new Error(
      `SECRETS_KEY is not the key that the secrets in this backup were encrypted with, ${missing.join(', ')}: ` +
        'set it, or add it to SECRETS_KEY_FORMER.',
    )
  }
  if (sealed === null) return
  try {
    secrets.open(sealed.text, sealed.context as SealContext)
  } catch {
    // Without a cause, which would add nothing; the key is never shown.
    throw new Error('SECRETS_KEY is not the key that the secrets in this backup were encrypted with.')
  }
}

async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const query = openUnmigrated({ databaseUrl })
  try {
    const { rows } = await query.raw(
      "SELECT table_name FROM information_schema.tables WHERE table_schema IN ('public', 'feed') LIMIT 1",
    )
    if (rows.length > 0)
      throw new Error('The database at DATABASE_URL is not empty: create one for the restored data.')
  } finally {
    await query.destroy()
  }
}

async function checkDatabase(
  where: Parameters<typeof openUnmigrated>[0],
  { log }: Manifest,
  drawNewLog: (() => Hex) | null,
): Promise<void> {
  const query = openUnmigrated(where)
  try {
    const found = await checkStoredLog(createStoredLogStore(query))
    if (!found.ok) throw new Error(`The restored audit log is damaged: ${found.fault}.`)
    if (found.records !== log.records || found.batches !== log.batches) {
      throw new Error(
        `The restored audit log has ${found.records} records in ${found.batches} batches, ` +
          `but the manifest lists ${log.records} in ${log.batches}.`,
      )
    }
    if (drawNewLog === null) return
    await query.transaction(async (trx) => {
      for (const logId of await beginNewLog(trx, drawNewLog)) {
        const intent = { idempotencyKey: intentKey.open(logId), kind: 'audit.open', payload: { logId } }
        await createOutboxStore(query).add(trx, { ...intent, now: Date.now() })
      }
    })
  } finally {
    await query.destroy()
  }
}
