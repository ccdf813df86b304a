import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

type PackageFile = {
  name: string
  version: string
  description: string
  license: string
  repository?: unknown
  dependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: unknown
}

/** Reads the package.json of a workspace, or of the project with `.`. */
export function readPackageFile(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}

/** The members of a published package.json that say what the package is, what it can use, and how npm publishes it. */
export function describePackage(workspace: string) {
  const { name, version, description, ...others } = readPackageFile(workspace)
  const { optionalDependencies, peerDependencies, peerDependenciesMeta } = others
  const { license, repository } = readPackageFile('.')
  // npm proves where a package was built only if the repository is named.
  const publishConfig = { access: 'public', provenance: repository !== undefined }
  return {
    ...{ name, version, description, license, repository, type: 'module', publishConfig },
    ...{ optionalDependencies, peerDependencies, peerDependenciesMeta },
  }
}
