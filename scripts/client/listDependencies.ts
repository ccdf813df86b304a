import { readPackageFile } from './readPackageFile.ts'

/** Lists the external packages that a bundle of these workspaces needs; it contains the workspaces' own code. */
export function listDependencies(workspaces: readonly string[]): Record<string, string> {
  const all = workspaces.flatMap((folder) => Object.entries(readPackageFile(folder).dependencies))
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('@svc/')))
}
