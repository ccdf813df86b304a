import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readEd25519Key } from '../../external/keys/readEd25519Key.ts'
import { readSigningKey } from '../../external/keys/readSigningKey.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import { writeFileOnce } from '../../external/writeFileOnce.ts'
import { sealContexts } from '../../services/secrets/sealedValues.ts'
import type { SharedKeyStore } from '../../store/accounts/sharedKeyStore.ts'

/** The files of generated keys in the data folder, and how each key is generated. */
const KEY_FILES: Record<string, (file: string) => unknown> = {
  'access-token-key.json': readSigningKey,
  'agent-card-key.json': readSigningKey,
  'audit-log-key.json': readEd25519Key,
  'push-key.json': readSigningKey,
  'receipt-key.json': readEd25519Key,
}

/**
 * Shares the generated keys of the data folder among all processes of the database: the first process imports or generates
 * them, the database stores them sealed, and all later processes read them from there.
 */
export async function shareKeyFiles(
  deps: { keys: SharedKeyStore; secrets: SecretBox },
  dataDir: string,
): Promise<void> {
  for (const [name, generate] of Object.entries(KEY_FILES)) {
    const file = join(dataDir, name)
    const context = sealContexts.sharedKey(name)
    let sealed = await deps.keys.byName(name)
    if (sealed === null) {
      generate(file)
      sealed = await deps.keys.insertOrRead(name, deps.secrets.seal(readFileSync(file, 'utf8'), context))
    }
    const key = deps.secrets.open(sealed, context)
    if (existsSync(file) && readFileSync(file, 'utf8') === key) continue
    rmSync(file, { force: true })
    writeFileOnce(file, key)
  }
}
