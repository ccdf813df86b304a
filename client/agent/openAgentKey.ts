import { randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { type AgentKey, generateAgentKey, importAgentKey } from './agentKey.ts'
import type { KeyAlgorithm } from './agentSigner.ts'

/** Permissions of users other than the owner. */
const FOREIGN = 0o077

/**
 * Opens the agent's key in a file, a private JWK, or generates a key and writes it there.
 *
 * Only the owner of the file may read it (mode 0600). Of several processes that start at once, one writes the key and all
 * use it. The key in memory cannot be exported.
 *
 * @param options `algorithm` is that of a generated key; default Ed25519.
 * @throws Error if other users may read the file, except on Windows, and if it contains no key.
 */
export async function openAgentKey(
  path: string,
  options: { algorithm?: KeyAlgorithm | undefined } = {},
): Promise<AgentKey> {
  const stored = await readKey(path)
  if (stored !== undefined) return stored
  await writeKey(path, options.algorithm)
  const written = await readKey(path)
  if (written === undefined) throw new Error(`${path} was removed while it was written`)
  return written
}

async function readKey(path: string): Promise<AgentKey | undefined> {
  let text: string
  try {
    text = await readPrivateFile(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    return await importAgentKey(Object(JSON.parse(text)))
  } catch {
    throw new Error(`${path} does not contain a private JWK with the curve Ed25519 or P-256`)
  }
}

async function readPrivateFile(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { mode } = await file.stat()
    if ((mode & FOREIGN) !== 0 && process.platform !== 'win32') {
      throw new Error(`other users may read ${path}, which contains a private key: chmod 600 ${path}`)
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Writes to a temporary file first: no process ever reads half a key, and none replaces the key of another. */
async function writeKey(path: string, algorithm: KeyAlgorithm | undefined): Promise<void> {
  const { pair } = await generateAgentKey({ algorithm, extractable: true })
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(jwk)}\n`).finally(() => file.close())
    await link(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
