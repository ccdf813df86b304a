import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Copies the project's current files into a folder inside the project, where Stryker can change them.
 *
 * The copy uses the installed packages of the project above it, with two exceptions: the workspaces, which must contain the
 * changed code, and mocha, because Stryker's runner cannot load version 12.
 *
 * @param tools Folder with a version of mocha that the runner can load.
 * @returns The folder, which the caller removes.
 */
export function copyProject(tools: string): string {
  const folder = mkdtempSync(join(ROOT, '.mutation-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of new Set(listed.split('\0'))) {
    if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file))
  }
  mkdirSync(join(folder, 'node_modules/@svc'), { recursive: true })
  for (const workspace of ['core', 'client']) {
    symlinkSync(join('../..', workspace), join(folder, 'node_modules/@svc', workspace))
  }
  symlinkSync(join(tools, 'node_modules/mocha'), join(folder, 'node_modules/mocha'))
  return folder
}
