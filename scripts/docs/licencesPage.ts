import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const LOCK_FILE = join(import.meta.dirname, '../../package-lock.json')

/** Licences under which a dependency may be shipped with the service: none asks for more than to be named. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0']

/** Packages that may run a program of theirs when they are installed, and what it does. */
const INSTALL_SCRIPTS: Record<string, string> = {
  'better-sqlite3': 'fetches or builds the native part of SQLite',
  esbuild: 'checks that its program for this platform was installed',
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

type Locked = { name: string; version: string; licence: string }

/**
 * The page of licences: every package that is shipped with the service, and those that run a program when installed.
 *
 * @param lock Text of the lock file; the project's unless given.
 * @throws Error that names a package without an allowed licence, without a hash, or with an install script that nobody has
 *   looked at.
 */
export function licencesPage(lock = readFileSync(LOCK_FILE, 'utf8')): string {
  const { packages } = lockFile.parse(JSON.parse(lock))
  const shipped: Locked[] = []
  const installing: string[] = []
  for (const [path, locked] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? path
    if (!path.includes('node_modules/') || locked.link) continue
    const { version = '', license: licence = 'none' } = locked
    if (locked.integrity === undefined) throw new Error(`${name} ${version} is locked without a hash`)
    if (locked.hasInstallScript) {
      if (INSTALL_SCRIPTS[name] === undefined) {
        throw new Error(`${name} ${version} runs a program when installed, and is not in INSTALL_SCRIPTS`)
      }
      installing.push(`| \`${name}\` | ${version} | ${INSTALL_SCRIPTS[name]} |`)
    }
    if (locked.dev) continue
    if (!isAllowed(licence))
      throw new Error(`${name} ${version} has the licence ${licence}, which is not allowed`)
    shipped.push({ name, version, licence })
  }
  return `# Licences

Made from \`package-lock.json\` by \`npm run docs\`, which fails for a licence that is not allowed, a package without a hash, and an
install script that is not listed here. Tools of development are not shipped, and only their install scripts are looked at.

## Packages that run a program when installed

| Package | Version | What it does |
|---|---|---|
${installing.join('\n')}

## ${shipped.length} packages that the service is shipped with

| Licence | Packages |
|---|---|
${countsOf(shipped)}

| Package | Version | Licence |
|---|---|---|
${rowsOf(shipped)}
`
}

/** Source: SPDX licence expressions; of alternatives one is enough, of things that apply together each has to be. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((all) => all.split(' AND ').every((licence) => ALLOWED.includes(licence)))
}

function countsOf(shipped: readonly Locked[]): string {
  const counts = new Map<string, number>()
  for (const { licence } of shipped) counts.set(licence, (counts.get(licence) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([licence, count]) => `| ${licence} | ${count} |`)
    .join('\n')
}

function rowsOf(shipped: readonly Locked[]): string {
  const rows = shipped.map(({ name, version, licence }) => `| \`${name}\` | ${version} | ${licence} |`)
  return [...new Set(rows)].sort((a, b) => (a < b ? -1 : 1)).join('\n')
}
