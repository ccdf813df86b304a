import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the version of the service from its manifest. */
export function readVersion(root: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}
