import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { listDependencies } from './listDependencies.ts'
import { describePackage } from './readPackageFile.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Builds a command as its users install it: one JavaScript file, which contains the code of the workspaces that it uses, in
 * a folder with its own package.json, ready for `npm pack`.
 *
 * @param command Name of the command, and of the file in its workspace.
 * @param uses The workspaces whose code is part of the package.
 * @param adds Folders of the workspace that the package contains as they are.
 * @param node The versions of Node that it runs on; from 22.13 on, `styleText` heeds the terminal and NO_COLOR.
 */
export async function bundleCommand(
  {
    workspace,
    command,
    uses,
    adds = [],
    node = '>=22.13',
  }: {
    workspace: string
    command: string
    uses: readonly string[]
    adds?: readonly string[]
    node?: string
  },
  folder: string,
): Promise<void> {
  const workspaces = [...uses, workspace]
  rmSync(folder, { recursive: true, force: true })
  await build({
    entryPoints: [join(ROOT, workspace, `${command}.ts`)],
    outfile: join(folder, `${command}.js`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: Object.keys(listDependencies(workspaces)),
  })
  for (const name of ['README.md', 'CHANGELOG.md', ...adds]) {
    cpSync(join(ROOT, workspace, name), join(folder, name), { recursive: true })
  }
  const packageFile = {
    ...describePackage(workspace),
    engines: { node },
    bin: { [command]: `${command}.js` },
    dependencies: listDependencies(workspaces),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFile, null, 2)}\n`)
}
