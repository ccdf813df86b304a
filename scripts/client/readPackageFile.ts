import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

type PackageFile = {
  name: string
  version: string
  description: string
  license: string
  dependencies: Record<string, string>
}

/** Reads the package.json of a workspace, or of the project with `.`. */
export function readPackageFile(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}
