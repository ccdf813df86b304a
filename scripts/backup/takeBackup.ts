import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Knex } from 'knex'
import type { Config } from '../../server/config.ts'
import { checkStoredLog } from '../../server/services/audit/checkStoredLog.ts'
import { createSharedKeyStore } from '../../server/store/accounts/sharedKeyStore.ts'
import { createStoredLogStore } from '../../server/store/audit/storedLogStore.ts'
import { copySqlite } from '../../server/store/database/copySqlite.ts'
import { openUnmigrated } from '../../server/store/database/openUnmigrated.ts'
import { createSecretsKeyStore } from '../../server/store/secrets/secretsKeyStore.ts'
import { requireServiceDatabase } from '../requireServiceDatabase.ts'
import { BACKUP_PARTS } from './backupParts.ts'
import { copyRegistrationFiles } from './copyRegistrationFiles.ts'
import { createFolderAtomically } from './createFolderAtomically.ts'
import { describeFiles } from './describeFiles.ts'
import type { Manifest } from './manifest.ts'
import { runPostgresTool } from './runPostgresTool.ts'

const PACKAGE_FILE = join(import.meta.dirname, '../../package.json')
/** Keys in the data folder, which are generated only once. With PostgreSQL they are in the database, encrypted. */
const KEY_FILES = [
  ...['access-token-key.json', 'agent-card-key.json', 'audit-log-key.json', 'push-key.json'],
  ...['receipt-key.json', 'secrets-key'],
]
/** Texts of earlier versions encrypted with the secrets key, each bound to its context; on SQLite the first. */
const SEALED = [
  { name: 'secrets-key-check', context: 'secrets-key-check' },
  { name: 'access-token-key.json', context: 'shared-key:access-token-key.json' },
]

type BackupConfig = Pick<Config, 'databaseUrl' | 'databaseFile' | 'dataDir' | 'registrationFilesDir'>

/**
 * Copies a consistent snapshot of everything a service cannot recreate, while servers keep writing: the database, the
 * generated keys and the registration files. The feed is left out, because it is derived.
 *
 * The copied log is checked before the backup gets its name, so that damage is found when the backup is taken.
 * Registration files are copied after the database, so that it refers to none that is missing.
 *
 * @throws Error with a message for the operator; nothing is left behind.
 * Source: docs/reliability.md row 25.
 */
export async function takeBackup(config: BackupConfig, to: string, now: number): Promise<Manifest> {
  await requireServiceDatabase(config)
  return createFolderAtomically(resolve(to), async (draft) => {
    const copied = config.databaseUrl
      ? await dumpServer(config.databaseUrl, join(draft, BACKUP_PARTS.dump))
      : await copyFiles(config, draft)
    if (existsSync(config.registrationFilesDir)) {
      await copyRegistrationFiles(config.registrationFilesDir, join(draft, BACKUP_PARTS.registrationFiles))
    }
    const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string }
    const manifest: Manifest = {
      format: 1,
      createdAt: new Date(now).toISOString(),
      version,
      ...copied,
      files: await describeFiles(draft),
    }
    await writeFile(join(draft, BACKUP_PARTS.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
    return manifest
  })
}

type Copied = Pick<Manifest, 'database' | 'log' | 'secretsKeys' | 'sealed'>

async function copyFiles(config: BackupConfig, draft: string): Promise<Copied> {
  const folder = join(draft, BACKUP_PARTS.data)
  await mkdir(folder)
  const file = join(folder, 'svc.sqlite')
  await copySqlite(config.databaseFile, file)
  for (const name of KEY_FILES) {
    const key = join(config.dataDir, name)
    if (existsSync(key)) await copyFile(key, join(folder, name))
  }
  const query = openUnmigrated({ databaseFile: file })
  try {
    const found = await describeDatabase(query)
    // Merges the write-ahead log back into the file.
    await query.raw('PRAGMA journal_mode = DELETE')
    return { database: 'sqlite', ...found }
  } finally {
    await query.destroy()
  }
}

/** Describes and dumps the same snapshot. */
async function dumpServer(databaseUrl: string, file: string): Promise<Copied> {
  const query = openUnmigrated({ databaseUrl })
  try {
    return await query.transaction(
      async (trx) => {
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0')
        const { rows } = await trx.raw('SELECT pg_export_snapshot() AS snapshot')
        const found = await describeDatabase(trx)
        const options = ['--format=custom', '--no-owner', '--no-privileges', '--exclude-schema=feed']
        await runPostgresTool(
          'pg_dump',
          [...options, `--snapshot=${rows[0].snapshot}`, `--file=${file}`],
          databaseUrl,
        )
        return { database: 'postgres', ...found }
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    )
  } finally {
    await query.destroy()
  }
}

async function describeDatabase(query: Knex): Promise<Omit<Copied, 'database'>> {
  const checked = await checkStoredLog(createStoredLogStore(query))
  if (!checked.ok) throw new Error(`The audit log is damaged: ${checked.fault}.`)
  const { records, batches, anchoredRecords } = checked
  const log = { records, batches, anchoredRecords }
  if (!(await query.schema.hasTable('secrets_keys'))) return { log, sealed: await findSealedText(query) }
  return { log, secretsKeys: await createSecretsKeyStore(query).list(), sealed: null }
}

async function findSealedText(query: Knex): Promise<Manifest['sealed']> {
  if (!(await query.schema.hasTable('shared_keys'))) return null
  const keys = createSharedKeyStore(query)
  for (const { name, context } of SEALED) {
    const text = await keys.byName(name)
    if (text !== null) return { context, text }
  }
  return null
}
