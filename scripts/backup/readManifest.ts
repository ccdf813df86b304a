import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUP_PARTS } from './backupParts.ts'
import { describeFile } from './describeFile.ts'
import { type Manifest, manifestSchema } from './manifest.ts'

/**
 * Reads the manifest of a backup and compares every file with it.
 *
 * @throws Error with a message for the operator that names the first missing or altered file.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = parse(folder, await readText(folder))
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = await describeFile(join(folder, path)).catch(() => null)
    if (found === null) throw new Error(`The backup in ${folder} is incomplete: ${path} is missing.`)
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new Error(`The backup in ${folder} was altered: ${path} does not match the manifest.`)
    }
  }
  return manifest
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, BACKUP_PARTS.manifest), 'utf8')
  } catch (cause) {
    throw new Error(`${folder} is not a backup: it has no ${BACKUP_PARTS.manifest}.`, { cause })
  }
}

function parse(folder: string, text: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`This version cannot read ${BACKUP_PARTS.manifest} in ${folder}.`, { cause })
  }
}
