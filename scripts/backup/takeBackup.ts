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
import { requireServiceDatabase } from '../requireServiceDatabase.ts'
import { BACKUP_PARTS } from './backupParts.ts'
import { copyRegistrationFiles } from './copyRegistrationFiles.ts'
import { createFolderAtomically } from './createFolderAtomically.ts'
import { describeFiles } from './describeFiles.ts'
import type { Manifest } from './manifest.ts'
import { runPostgresTool } from './runPostgresTool.ts'

const MANIFEST_OF_PROJECT = join(import.meta.dirname, '../../package.json')
/** Files of the data folder that are generated once and never again; with PostgreSQL its database has them, sealed. */
const KEY_FILES = ['access-token-key.json', 'agent-card-key.json', 'audit-log-key.json', 'secrets-key']
/** Texts that lie sealed under the secrets' key, with what each is bound to; SQLite has the first, PostgreSQL the second. */
const SEALED = [
  { name: 'secrets-key-check', context: 'secrets-key-check' },
  { name: 'access-token-key.json', context: 'shared-key:access-token-key.json' },
]

type BackupConfig = Pick<Config, 'databaseUrl' | 'databaseFile' | 'dataDir' | 'registrationFilesDir'>

/**
 * Copies everything a service cannot make anew, as it is at one moment, while servers go on writing: the database, the
 * generated keys, the registration files. The derived feed is left out.
 *
 * The log of the copy is checked before the backup is put in its place, so that damage is found on the day it happens.
 * Files come after the database, which therefore never names one that is not there.
 *
 * @throws Error with a sentence for the operator; nothing is left behind then.
 * Source: faults.md row 25.
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
    const { version } = JSON.parse(readFileSync(MANIFEST_OF_PROJECT, 'utf8')) as { version: string }
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

type Copied = Pick<Manifest, 'database' | 'log' | 'sealed'>

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
    // One file again, without a write-ahead log beside it.
    await query.raw('PRAGMA journal_mode = DELETE')
    return { database: 'sqlite', ...found }
  } finally {
    await query.destroy()
  }
}

/** What is described and what is dumped are one snapshot. */
async function dumpServer(databaseUrl: string, file: string): Promise<Copied> {
  const query = openUnmigrated({ databaseUrl })
  try {
    return await query.transaction(
      async (trx) => {
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0')
        const { rows } = await trx.raw('SELECT pg_export_snapshot() AS snapshot')
        const found = await describeDatabase(trx)
        const words = ['--format=custom', '--no-owner', '--no-privileges', '--exclude-schema=feed']
        await runPostgresTool(
          'pg_dump',
          [...words, `--snapshot=${rows[0].snapshot}`, `--file=${file}`],
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

async function describeDatabase(query: Knex): Promise<Pick<Manifest, 'log' | 'sealed'>> {
  const checked = await checkStoredLog(createStoredLogStore(query))
  if (!checked.ok) throw new Error(`The audit log is damaged: ${checked.fault}.`)
  const { records, batches, anchoredRecords } = checked
  return { log: { records, batches, anchoredRecords }, sealed: await sealedText(query) }
}

async function sealedText(query: Knex): Promise<Manifest['sealed']> {
  if (!(await query.schema.hasTable('shared_keys'))) return null
  const keys = createSharedKeyStore(query)
  for (const { name, context } of SEALED) {
    const text = await keys.byName(name)
    if (text !== null) return { context, text }
  }
  return null
}
